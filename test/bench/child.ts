import { type ChildProcess, fork } from 'node:child_process';

interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

/** A process that responds to requests: one program of `children/`. */
export class Child {
  readonly #process: ChildProcess;
  readonly #asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor(program: string, execArgv: readonly string[] = []) {
    this.#process = fork(program, [], { execArgv: [...execArgv], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#process.on('message', ({ id, value, error }: Reply) => {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (error === undefined) asked?.resolve(value);
      else asked?.reject(new Error(error));
    });
    this.#process.on('exit', (code, signal) => {
      for (const { reject } of this.#asked.values()) reject(new Error(`${program} ended (${signal ?? code}).`));
      this.#asked.clear();
    });
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  ask<T = void>(question: string, given: object = {}): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#asked.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#process.send({ id, question, given }, (error) => error && reject(error));
    });
  }

  stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#process.once('exit', () => resolve());
      // Data of a benchmark is discarded, so the process needs no cleanup.
      this.#process.kill('SIGKILL');
    });
  }
}
