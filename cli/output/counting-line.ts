import { onLeaving } from '../interruption.ts';
import type { Terminal } from './terminal.ts';
import { cut } from './width.ts';

/** How far something with many parts has come. */
export interface CountingLine {
  show(done: number): void;
  /** Wipes it away. */
  end(): void;
}

/**
 * `4,000 of 10,000 people` on one line of stderr that is written anew each time; nothing where stderr is no terminal.
 * The cursor is left at its beginning, so that whatever else is said takes its place.
 * @param goOn said where Ctrl-C ends it half-way
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
