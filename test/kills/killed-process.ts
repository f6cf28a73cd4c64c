import { type ChildProcess, spawn } from 'node:child_process';

/** A process that writes what it does to its output, line by line, until it is killed. */
export class KilledProcess {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  /** Its first line that begins with `= `, or its end. */
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
