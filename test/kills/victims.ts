import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/adapters/clock.ts';
import { type Storage, sqlite } from '../../lib/index.ts';
import { type Bundle, bundle } from '../support/bundle.ts';
import { withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';

/** Maximum lifetime of a process after its first acknowledgement. */
const LIFE_MS = 1_500;

/** Starts and kills processes, one after another or two at a time. */
export interface Place {
  storage(): Storage;
  /** Passed to the programs. */
  options: { database: string; schema?: string };
  remove(): Promise<void>;
}

async function filePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'kills-'));
  const database = join(folder, 'chat.db');
  return {
    storage: () => sqlite(database),
    options: { database },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function schemaPlace(): Promise<Place> {
  const { url, schema, storage, drop } = await postgresPlace();
  return { storage: () => storage(), options: { database: url, schema }, remove: drop };
}

export const ENGINES = [
  { name: 'SQLite', place: filePlace, workers: 1, skip: undefined },
  { name: 'PostgreSQL', place: schemaPlace, workers: 2, skip: withoutPostgres },
];

/** All programs of this folder, compiled once. */
const PROGRAMS = Object.fromEntries(
  [
    'committing-server',
    'exporter',
    'day-worker',
    'importer',
    'inviter',
    'mailer',
    'registrant',
    'scheduler',
    'sender',
    'syncer',
    'upload-server',
    'uploader',
  ].map((name) => [name, `test/kills/${name}.ts`]),
);
let compiled: Promise<Bundle> | undefined;
after(async () => (await compiled)?.remove());

/** The path of a compiled program to start and kill. */
export async function killedProgram(name: string): Promise<string> {
  compiled ??= bundle('kills', PROGRAMS);
  return (await compiled).program(name);
}

/** The current time plus an offset. */
export const clockAhead = (ms: number): Clock => ({
  now: () => Date.now() + ms,
  after: (wait, callback) => {
    const timer = setTimeout(callback, wait);
    return () => clearTimeout(timer);
  },
});

/** Output of the killed processes: requested items, and acknowledged items. */
export interface Told {
  lives: number;
  asked: Set<string>;
  acknowledged: Set<string>;
  /** All other lines. */
  faults: string[];
}

/**
 * Starts a program until so many processes are killed, each at a random moment. Each worker starts one process after
 * another, and at least one.
 */
export async function killAll(
  program: string,
  options: object,
  { workers, kills }: { workers: number; kills: number },
): Promise<Told> {
  const told: Told = { lives: 0, asked: new Set(), acknowledged: new Set(), faults: [] };
  const live = async () => {
    const victim = new Victim(program, { ...options, name: `life-${told.lives++}` });
    await victim.acknowledges;
    await sleep(Math.random() * LIFE_MS);
    await victim.kill();
    for (const line of victim.lines) {
      if (line.startsWith('+ ')) told.asked.add(line.slice(2));
      else if (line.startsWith('= ')) told.acknowledged.add(line.slice(2));
      else told.faults.push(line);
    }
  };
  const worker = async () => {
    do await live();
    while (told.lives < kills);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return told;
}

/**
 * A process that logs its work line by line until it is killed: `+ item` before the request and `= item` after the
 * acknowledgement.
 */
export class Victim {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly ended: Promise<void>;
  /** Its first acknowledgement, or its exit. */
  readonly acknowledges: Promise<void>;

  constructor(program: string, options: object) {
    const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    this.ended = new Promise((resolve) => child.on('close', () => resolve()));
    this.acknowledges = new Promise((resolve) => {
      let rest = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        // An incomplete line was not acknowledged.
        rest = lines.pop() ?? '';
        this.lines.push(...lines);
        if (lines.some((line) => line.startsWith('= '))) resolve();
      });
      void this.ended.then(resolve);
    });
  }

  /** Exit code or signal. */
  get signal(): NodeJS.Signals | null {
    return this.#process.signalCode;
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }
}
