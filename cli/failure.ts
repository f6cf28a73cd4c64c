import type { ChatError } from '../lib/index.ts';
import { findVariable } from './environment.ts';

export const EXIT = { done: 0, refused: 1, usage: 2, notAuthenticated: 4, unreachable: 8, interrupted: 130 } as const;

/** What ends a command: a message for people, what to do next, and the exit code. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
    readonly advice?: string,
  ) {
    super(message);
    this.name = 'Failure';
  }
}

/** The command line itself is wrong; nothing was asked of the chat. */
export class UsageError extends Failure {
  constructor(message: string, advice?: string) {
    super(message, EXIT.usage, advice);
    this.name = 'UsageError';
  }
}

export interface Report {
  exitCode: number;
  message: string;
  advice?: string;
  /** The error as the wire would show it. */
  body: Record<string, unknown>;
}

let serverAsked: string | undefined;

/** A refusal does not say which server it is of, and several may run on a machine. A process asks one. */
export function noteServer(site: string): void {
  serverAsked = site;
}

/** How any error is reported, and with which exit code the process leaves. */
export async function reportOf(error: unknown): Promise<Report> {
  if (error instanceof Failure) return report(error.exitCode, error.message, error.advice);
  // Loaded only now, so that a usage error does not wait for database drivers.
  const [{ ChatError, StorageError, Unreachable }, { errorBody }] = await Promise.all([
    import('../lib/index.ts'),
    import('../lib/internal.ts'),
  ]);
  if (error instanceof ChatError) {
    return {
      ...report(exitCodeOf(error.status), error.message, adviceOn(error)),
      body: errorBody(error),
    };
  }
  if (error instanceof StorageError) {
    // A message that names the command to run is the advice.
    const advice = error.message.includes('`chatctl ') ? undefined : STORAGE_ADVICE[error.reason];
    return report(EXIT.unreachable, error.message, advice);
  }
  if (error instanceof Unreachable) {
    return report(
      EXIT.unreachable,
      error.message,
      /wrong version number|packet length too long/i.test(error.message)
        ? 'It seems to speak plain HTTP: begin its address with http://.'
        : 'Check the address and that the server runs; `chatctl serve` starts one.',
    );
  }
  const fault = error instanceof Error ? error : new Error(String(error));
  return report(EXIT.unreachable, `Unexpected fault: ${findVariable('PARLANCE_DEBUG') ? fault.stack : fault.message}`);
}

function report(exitCode: number, message: string, advice?: string): Report {
  return { exitCode, message, ...(advice ? { advice } : {}), body: { result: 'error', msg: message } };
}

function exitCodeOf(status: number): number {
  if (status === 401) return EXIT.notAuthenticated;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}

/** Servers of another make send codes that are none of ours. */
type Refusal = Pick<ChatError, 'status' | 'data' | 'message'> & { code: string | null };

function adviceOn({ code, status, data, message }: Refusal): string | undefined {
  if (status >= 500) {
    const seconds = data['retry-after'];
    return seconds === undefined ? "The server's log tells more." : `Try again in ${seconds} s.`;
  }
  switch (code) {
    case 'RATE_LIMIT_HIT':
      return `Try again in ${Math.ceil(Number(data['retry-after'] ?? 1))} s.`;
    case 'UNAUTHORIZED':
    case 'INVALID_API_KEY':
      // On a database nobody shows a key.
      return serverAsked === undefined
        ? 'Check --user; without it, you act as the first owner.'
        : `Check the e-mail address and the API key for ${serverAsked}: --user and --api-key, ZULIP_EMAIL and ZULIP_API_KEY, or the file.`;
    case 'EXPECTATION_MISMATCH':
      return 'It was changed meanwhile: look at it again, then repeat yours.';
    case 'BAD_NARROW': {
      const [, missing] = /there is no (user|channel) /.exec(message) ?? [];
      if (missing !== undefined) return `\`chatctl ${missing}s list\` shows them.`;
      return 'A narrow is a JSON list of pairs, such as [["channel","general"]].';
    }
    default:
      return undefined;
  }
}

const STORAGE_ADVICE: Partial<Record<string, string>> = {
  'bad-address': 'Check --db, or the variable that names the database.',
  'not-a-database': 'Give a database made by `chatctl init`.',
  'foreign-application': 'Give a database made by `chatctl init`; this one was left as it is.',
  'newer-version': 'Use a newer chatctl for this database.',
  busy: 'Try again in a moment.',
  unreachable: 'Check the address, the permissions and that the database runs.',
  full: 'Make room on the disk, then try again; what was there before is still there.',
  io: 'Look after the disk. What is damaged is moved aside, with its -wal, and made anew of a backup: `chatctl restore`.',
  'read-only': 'Check who may write the database and its folder, and whether its disk can be written.',
};
