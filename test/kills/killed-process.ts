import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Storage, sqlite } from '../../lib/index.ts';
import { withoutPostgres } from '../support/engines.ts';
import { postgresPlace } from '../support/postgres.ts';

/** `PARLANCE_KILLS=100` for as many kills of each engine. */
export const KILLS = Number(process.env.PARLANCE_KILLS ?? 6);

export interface Place {
  storage(): Storage;
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

/** A process that says what it does, line by line: `+ what` before it asks and `= what` once that is acknowledged. */
export class KilledProcess {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  /** Its first acknowledgement, or its end. */
  readonly acknowledges: Promise<void>;

  constructor(program: string, options: object) {
    const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    this.#ended = new Promise((resolve) => child.on('close', () => resolve()));
    this.acknowledges = new Promise((resolve) => {
      let rest = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        // What is cut off was not acknowledged.
        rest = lines.pop() ?? '';
        this.lines.push(...lines);
        if (lines.some((line) => line.startsWith('= '))) resolve();
      });
      void this.#ended.then(resolve);
    });
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }
}
