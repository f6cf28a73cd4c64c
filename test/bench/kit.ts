import { join } from 'node:path';
import { bundle } from '../support/bundle.ts';
import { Child } from './child.ts';

const PROGRAMS = [
  'chat-server',
  'bare-server',
  'bare-postgres',
  'generator',
  'delivery',
  'topics',
  'edited-messages',
  'moving',
  'much-unread',
  'notifying',
  'outbox',
  'panel-chat',
  'postgres-tenants',
  'scheduled-messages',
  'renderer',
  'groups',
  'importing',
  'invitations',
  'bare-files',
  'push',
  'scans',
  'shards',
  'search',
  'subscriptions',
  'sync',
  'tenants',
] as const;

export type Program = (typeof PROGRAMS)[number];

/** Shared by the benchmarks: compiled programs, a folder for their data, and their processes. */
export interface Kit {
  /** On the project's disk, since some systems keep temporary files in memory. */
  readonly folder: string;
  /** The compiled command line. */
  readonly chatctl: string;
  start(program: Program, options?: { exposeGc?: boolean; maxHeapMebibytes?: number }): Child;
  /** A path for a new database. */
  newDatabase(): string;
  /** Ends the processes started so far. */
  stopAll(): Promise<void>;
  remove(): Promise<void>;
}

/** Compiles the measured programs: tsx adds calls to every function. */
export async function prepareKit(): Promise<Kit> {
  const { folder, program, remove } = await bundle('bench', {
    ...Object.fromEntries(PROGRAMS.map((name) => [name, `test/bench/children/${name}.ts`])),
    chatctl: 'cli/chatctl.ts',
  });

  const children: Child[] = [];
  let databases = 0;
  return {
    folder,
    chatctl: program('chatctl'),
    start(name, { exposeGc = false, maxHeapMebibytes } = {}) {
      const limit = maxHeapMebibytes === undefined ? [] : [`--max-old-space-size=${maxHeapMebibytes}`];
      const child = new Child(program(name), exposeGc ? ['--expose-gc', ...limit] : limit);
      children.push(child);
      return child;
    },
    newDatabase: () => join(folder, `chat-${++databases}.db`),
    async stopAll() {
      await Promise.all(children.splice(0).map((child) => child.stop()));
    },
    remove,
  };
}
