import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Where a command writes, and what the other side can show. */
export interface Terminal {
  /** One or more whole lines for stdout; the last line end is added. */
  out(text: string): void;
  err(text: string): void;
  /** stdout is read by a person. */
  readonly isTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Undefined when lines need not fit anything. */
  readonly columns: number | undefined;
  style(style: Style, text: string): string;
  errStyle(style: Style, text: string): string;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const mayColour = (stream: NodeJS.WriteStream) => stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const styler = (stream: NodeJS.WriteStream) => (style: Style, text: string) =>
    mayColour(stream) && text !== '' ? styleText(style, text) : text;
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    isTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true,
    // A terminal that does not know its size says 0.
    columns: (stdout.isTTY && stdout.columns) || undefined,
    style: styler(stdout),
    errStyle: styler(stderr),
  };
}

/** A reader that went away, `chatctl … | head`, ends the command without a word. */
export function endQuietlyOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
}
