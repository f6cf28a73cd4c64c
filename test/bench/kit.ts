import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Child } from './child.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = [
  'chat-server',
  'bare-server',
  'bare-postgres',
  'generator',
  'topics',
  'edited-messages',
  'renderer',
] as const;

export type Program = (typeof PROGRAMS)[number];

/** What the benchmarks share: compiled programs, a folder for their data, and the processes they start. */
export interface Kit {
  /** On the disk the project is on, since some systems keep temporary files in memory. */
  readonly folder: string;
  /** The compiled command line. */
  readonly chatctl: string;
  start(program: Program, options?: { exposeGc?: boolean }): Child;
  /** A path for a database nobody has used. */
  newDatabase(): string;
  /** Ends the processes started so far. */
  stopAll(): Promise<void>;
  remove(): Promise<void>;
}

/** Compiles what is measured: what runs it from source adds calls of its own to every function made. */
export async function prepareKit(): Promise<Kit> {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'bench-'));
  const dist = join(folder, 'dist');
  await build({
    entryPoints: [
      ...PROGRAMS.map((program) => join(ROOT, `test/bench/children/${program}.ts`)),
      { in: join(ROOT, 'cli/chatctl.ts'), out: 'chatctl' },
    ].map((entry) => (typeof entry === 'string' ? { in: entry, out: entry.replace(/^.*\/|\.ts$/g, '') } : entry)),
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  await cp(join(ROOT, 'server/pages'), join(dist, 'pages'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));

  const children: Child[] = [];
  let databases = 0;
  return {
    folder,
    chatctl: join(dist, 'chatctl.js'),
    start(program, { exposeGc = false } = {}) {
      const child = new Child(join(dist, `${program}.js`), exposeGc ? ['--expose-gc'] : []);
      children.push(child);
      return child;
    },
    newDatabase: () => join(folder, `chat-${++databases}.db`),
    async stopAll() {
      await Promise.all(children.splice(0).map((child) => child.stop()));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
