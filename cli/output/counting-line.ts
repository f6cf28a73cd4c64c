import { onLeaving } from '../interruption.ts';
import type { Terminal } from './terminal.ts';
import { cut } from './width.ts';

/** Progress of a task with many parts. */
export interface CountingLine {
  show(done: number): void;
  /** Clears the line. */
  end(): void;
}

/**
 * Shows `4,000 of 10,000 people` on one line of stderr. Shows nothing if stderr is not a terminal. The cursor stays at
 * the beginning of the line, so that the next output overwrites it.
 * @param goOn printed when Ctrl-C interrupts the task
 */
export function countingLine(total: number, what: string, goOn: string, terminal: Terminal): CountingLine {
  const isShown = terminal.errIsTerminal;
  const write = (text: string) => void (isShown && process.stderr.write(`\r${text}\x1b[K\r`));
  const number = (count: number) => count.toLocaleString('en');
  const forget = onLeaving(() => {
    write('');
    terminal.err(goOn);
  });
  return {
    show: (done) => write(cut(`${number(done)} of ${number(total)} ${what}`, (process.stderr.columns || 80) - 1)),
    end() {
      forget();
      write('');
    },
  };
}
