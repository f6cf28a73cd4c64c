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
  /** stdout shows colours; where it does not, what they say must be said otherwise. */
  readonly isColoured: boolean;
  /** Undefined when lines need not fit anything. */
  readonly columns: number | undefined;
  style(style: Style, text: string): string;
  errStyle(style: Style, text: string): string;
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  const styler = (isColoured: boolean) => (style: Style, text: string) =>
    // Whether the stream shows colours is known here; node would look at stdout in any case.
    isColoured && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    isTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true,
    isColoured: showsColours(stdout),
    // A terminal that does not know its size says 0.
    columns: (stdout.isTTY && stdout.columns) || undefined,
    style: styler(showsColours(stdout)),
    errStyle: styler(showsColours(stderr)),
  };
}

/** NO_COLOR and FORCE_COLOR are the customs of other programs: `FORCE_COLOR=1 chatctl … | less -R`. */
function showsColours(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
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
