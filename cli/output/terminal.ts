import { styleText } from 'node:util';
import { EXIT } from '../exit-codes.ts';

type Style = Parameters<typeof styleText>[0];

/** The output of a command, and its abilities. */
export interface Terminal {
  /** Prints one or more lines to stdout. Adds the last line break. */
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Whether stdout shows colours. If not, text must carry the same information. */
  readonly isColoured: boolean;
  /** Undefined if lines can have any length. */
  readonly columns: number | undefined;
  style(style: Style, text: string): string;
  errStyle(style: Style, text: string): string;
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  const styler = (isColoured: boolean) => (style: Style, text: string) =>
    // Checked above for this stream. Node would check stdout in any case.
    isColoured && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    isTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true,
    isColoured: showsColours(stdout),
    // Some terminals report 0 columns.
    columns: (stdout.isTTY && stdout.columns) || undefined,
    style: styler(showsColours(stdout)),
    errStyle: styler(showsColours(stderr)),
  };
}

/** NO_COLOR and FORCE_COLOR are conventions: `FORCE_COLOR=1 chatctl … | less -R`. */
function showsColours(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
}

/** Exits if stdout fails: silently if it has no reader (`chatctl … | head`). Ignores failures of stderr. */
export function exitOnOutputErrors(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED') process.exit(EXIT.done);
    const problem = code === 'ENOSPC' ? 'the device is full' : message;
    process.stderr.write(
      `chatctl: Cannot write the output: ${problem}.\nThe command may be complete: check before you repeat it.\n`,
    );
    process.exit(EXIT.unreachable);
  });
}

export const exitInterrupted = () => process.exit(EXIT.interrupted);

/**
 * Calls `stop` at the first SIGINT or SIGTERM. A second one exits immediately. At a terminal, SIGHUP stops too: the
 * terminal was closed. Otherwise it is ignored, as `nohup` wants it.
 */
export function onInterruption(stop: (signal: NodeJS.Signals) => void): void {
  const isAtTerminal = process.stdout.isTTY === true || process.stderr.isTTY === true;
  let isHungUp = false;
  process.on('SIGHUP', () => {
    if (isAtTerminal && !isHungUp) stop('SIGHUP');
    isHungUp = true;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const stopOnce = () => {
      process.on(signal, exitInterrupted);
      process.off(signal, stopOnce);
      stop(signal);
    };
    process.on(signal, stopOnce);
  }
  // Last: if no listener remains, Node loses a signal that has arrived and is not handled yet.
  process.off('SIGINT', exitInterrupted);
}

/** Ignores Ctrl-C while another program, such as an editor, uses the terminal. */
export async function ignoringInterruption<T>(work: () => Promise<T>): Promise<T> {
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  process.off('SIGINT', exitInterrupted);
  try {
    return await work();
  } finally {
    process.on('SIGINT', exitInterrupted);
    process.off('SIGINT', ignore);
  }
}
