import pino from 'pino';
import type { Logger } from '../../lib/index.ts';
import { sanitize } from '../output/sanitize.ts';
import type { Terminal } from '../output/terminal.ts';
import type { LogLevel } from './option-values.ts';

/** Bytes of lines that are written at once: a call of the system for each would cost more than all else of it. */
const TOGETHER = 32 * 1024;
/** Milliseconds for which a line waits for others. */
const DELAY = 250;
/** Bytes of lines that nobody takes; what comes then is dropped, so that a stuck reader does not fill the memory. */
const MAX_WAITING = 8 * 1024 * 1024;

export interface ServerLog {
  logger: Logger;
  /** Writes what has not been written, to be called before the process ends. */
  flush(): void;
}

/**
 * The log of a server, on standard error: standard output is for what the command itself answers. Lines of JSON for
 * programs, and for people at a terminal the same in words.
 */
export function serverLog(level: LogLevel, terminal: Terminal): ServerLog {
  const options: pino.LoggerOptions = { level, serializers: { error: facts } };
  if (terminal.errIsTerminal) {
    const logger = pino(options, { write: (line: string) => terminal.err(inWords(line, terminal)) });
    return { logger, flush: () => undefined };
  }
  const { stream, flush } = gatheredLines(2);
  return { logger: pino(options, stream), flush };
}

/**
 * Lines into a file by path, or by number where it is open. They go some at a time, and not in the turn of the request:
 * a pipe that is full would hold everybody up. Until then they wait as bytes, since texts cost twice as much: they are
 * carried along with each collection of garbage. What ends the process at once takes the lines of the last quarter of
 * a second along; an uncaught error does not, nor an orderly end.
 */
export function gatheredLines(dest: string | number) {
  const destination = pino.destination({
    dest,
    sync: false,
    contentMode: 'buffer',
    maxLength: MAX_WAITING,
    // It writes nothing that is less before it is told to.
    minLength: TOGETHER + 1,
    maxWrite: 4 * TOGETHER,
  });
  let bytes = Buffer.allocUnsafeSlow(TOGETHER);
  let length = 0;
  const handOver = (whole: Buffer) => {
    // Its types know of texts alone.
    if (whole.length > 0) destination.write(whole as unknown as string);
  };
  const handOverLines = () => {
    handOver(bytes.subarray(0, length));
    bytes = Buffer.allocUnsafeSlow(TOGETHER);
    length = 0;
  };
  const pass = () => {
    whereSomebodyReads(() => {
      handOverLines();
      // With a callback it would wait for the disk as well.
      destination.flush();
    });
  };
  const flush = () => {
    whereSomebodyReads(() => {
      handOverLines();
      destination.flushSync();
    });
  };
  destination.on('error', () => undefined);
  let isDue = false;
  const write = (line: string) => {
    // Of UTF-8, in which a unit of a text takes three bytes at most.
    const most = 3 * line.length;
    if (length + most > TOGETHER) pass();
    if (most > TOGETHER) whereSomebodyReads(() => handOver(Buffer.from(line)));
    else length += bytes.write(line, length);
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      pass();
    }, DELAY).unref();
  };
  process.once('exit', flush);
  return { stream: { write }, flush };
}

function whereSomebodyReads(work: () => unknown): void {
  try {
    work();
  } catch {
    // Nobody does any more.
  }
}

/**
 * What is told of an error. Drivers hang more on theirs, such as the values of a row that was refused, and these are
 * nothing for a log.
 */
function facts(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
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
  const { level, time, msg, pid: _, hostname: __, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const [colour, word] = LEVELS[level as number] ?? ['gray', 'log'];
  const clock = new Date(time as number).toLocaleTimeString('en-GB');
  const head = `${terminal.errStyle('gray', clock)} ${terminal.errStyle(colour, word.padEnd(5))}`;
  const text = msg === 'request' ? requestInWords(rest) : `${msg}${fieldsInWords(rest)}`;
  return `${head} ${sanitize(text)}`;
}

function requestInWords({
  method,
  route,
  status,
  ms,
  waited_ms: waited,
  user,
  bytes,
  cut,
}: Record<string, unknown>): string {
  const parts = [
    `${method} ${route || '(nothing is there)'} ${status}`,
    `${ms} ms`,
    ...(waited === undefined ? [] : [`waited ${(Number(waited) / 1000).toFixed(1)} s`]),
    user === null ? 'nobody' : `user ${user}`,
    `${bytes} bytes`,
    ...(cut ? ['cut off'] : []),
  ];
  return parts.join(', ');
}

function fieldsInWords({ error, ...rest }: Record<string, unknown>): string {
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const stack = (error as { stack?: string } | undefined)?.stack;
  return `${fields.length === 0 ? '' : `: ${fields.join(', ')}`}${stack === undefined ? '' : `\n${stack}`}`;
}
