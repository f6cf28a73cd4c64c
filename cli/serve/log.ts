import pino from 'pino';
import { codeOf, isRecord } from '../../lib/internal.ts';
import type { Terminal } from '../output/terminal.ts';
import { sanitize } from '../output/text.ts';
import type { LogLevel } from './declared-options.ts';

/** Bytes per write. A system call for each line would cost more than all other logging work. */
const BYTES_PER_WRITE = 32 * 1024;
/** Milliseconds that a line waits for others. */
const MAX_DELAY_MS = 250;
/** Bytes of unread log lines. Further lines are dropped, so that a stuck reader does not fill the memory. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/**
 * The server log on stderr; stdout is for the output of the command. JSON lines, or readable text at a terminal. Call
 * `flush` before the process ends: it writes the remaining lines.
 */
export function serverLog(level: LogLevel, terminal: Terminal) {
  const options: pino.LoggerOptions = { level, serializers: { error: facts } };
  if (terminal.errIsTerminal) {
    const logger = pino(options, { write: (line: string) => terminal.err(inWords(line, terminal)) });
    return { logger, flush: () => undefined };
  }
  const { stream, flush } = gatheredLines(2);
  return { logger: pino(options, stream), flush };
}

/**
 * Writes lines to a file path or descriptor, outside of the request: writing to a full pipe would block the server.
 * Lines wait as bytes because strings take twice the memory. A killed process loses the lines of the last 250 ms. An
 * uncaught error or a normal exit loses none.
 */
export function gatheredLines(dest: string | number) {
  const destination = pino.destination({
    dest,
    sync: false,
    contentMode: 'buffer',
    minLength: BYTES_PER_WRITE,
    maxWrite: 4 * BYTES_PER_WRITE,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: MAX_DELAY_MS,
  });
  destination.on('error', () => undefined);
  const flush = () => {
    try {
      destination.flushSync();
    } catch {
      // The reader is gone.
    }
  };
  process.once('exit', flush);
  // The types accept only strings.
  const write = (line: string) => destination.write(Buffer.from(line) as unknown as string);
  return { stream: { write }, flush };
}

/** The logged fields of an error. Drivers add more, such as values of a refused row, which must not be logged. */
function facts(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const reason = 'reason' in error ? error.reason : undefined;
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    ...(typeof reason === 'string' ? { reason } : {}),
    stack: error.stack ?? error.message,
    ...(error.cause !== undefined && depth < 3 ? { cause: facts(error.cause, depth + 1) } : {}),
  };
}

const LEVELS: Readonly<Record<number, readonly ['gray' | 'cyan' | 'yellow' | 'red', string]>> = {
  20: ['gray', 'debug'],
  30: ['cyan', 'info'],
  40: ['yellow', 'warn'],
  50: ['red', 'error'],
};

/** `14:03:11 info  GET /api/v1/messages 200, 3.1 ms, user 8, 5120 bytes` */
function inWords(line: string, terminal: Terminal): string {
  const fields: Record<string, unknown> = JSON.parse(line);
  const { level, time, msg, pid: _, hostname: __, ...rest } = fields;
  const [colour, word] = LEVELS[Number(level)] ?? ['gray', 'log'];
  const clock = new Date(Number(time)).toLocaleTimeString('en-GB');
  const head = `${terminal.errStyle('gray', clock)} ${terminal.errStyle(colour, word.padEnd(5))}`;
  const text = msg === 'request' ? requestInWords(rest) : `${msg}${fieldsInWords(rest)}`;
  return `${head} ${sanitize(text)}`;
}

function requestInWords(fields: Record<string, unknown>): string {
  const { method, route, status, ms, waited_ms: waited, user, bytes, cut } = fields;
  const parts = [
    `${method} ${route || '(no route)'} ${status}`,
    `${ms} ms`,
    ...(waited === undefined ? [] : [`waited ${(Number(waited) / 1000).toFixed(1)} s`]),
    user === null ? 'no user' : `user ${user}`,
    `${bytes} bytes`,
    ...(cut ? ['cut off'] : []),
  ];
  return parts.join(', ');
}

function fieldsInWords({ error, ...rest }: Record<string, unknown>): string {
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const stack = isRecord(error) ? error.stack : undefined;
  return `${fields.length === 0 ? '' : `: ${fields.join(', ')}`}${stack === undefined ? '' : `\n${stack}`}`;
}
