import type { ChatError } from '../lib/index.ts';
import { findVariable } from './environment.ts';

export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  /** `why`: the user may not, or it cannot be decided. */
  notAllowed: 3,
  notAuthenticated: 4,
  unreachable: 8,
  interrupted: 130,
} as const;

export class Failure extends Error {
  constructor(
    message: string,
    readonly advice?: string,
    readonly exitCode: number = EXIT.refused,
  ) {
    super(message);
  }
}

/** The command line is wrong. No request was sent. */
export class UsageError extends Failure {
  constructor(message: string, advice?: string) {
    super(message, advice, EXIT.usage);
    this.name = 'UsageError';
  }
}

/** What to print for an error. `body` is the error as the API sends it. */
export async function reportOf(error: unknown) {
  if (error instanceof Failure) return report(error.exitCode, error.message, error.advice);
  // Loaded only now, so that a usage error does not wait for database drivers.
  const [{ ChatError, StorageError, Unreachable }, { errorBody }] = await Promise.all([
    import('../lib/index.ts'),
    import('../lib/internal.ts'),
  ]);
  if (error instanceof ChatError)
    return { ...report(exitCodeOf(error.status), error.message, adviceOn(error)), body: errorBody(error) };
  if (error instanceof StorageError) {
    // No advice if the message already names the command or the statement to run.
    const advice = /`chatctl |run: GRANT /.test(error.message) ? undefined : STORAGE_ADVICE[error.reason];
    return report(EXIT.unreachable, error.message, advice);
  }
  if (error instanceof Unreachable) {
    const advice = /wrong version number|packet length too long/i.test(error.message)
      ? 'The server seems to use plain HTTP. Use http:// in its address.'
      : 'Check the address, and that the server is running. `chatctl serve` starts a server.';
    return report(EXIT.unreachable, error.message, advice);
  }
  const fault = error instanceof Error ? error : new Error(String(error));
  return report(EXIT.unreachable, `Unexpected error: ${findVariable('PARLANCE_DEBUG') ? fault.stack : fault.message}`);
}

function report(exitCode: number, message: string, advice?: string) {
  const body: object = { result: 'error', msg: message };
  return { exitCode, message, advice, body };
}

function exitCodeOf(status: number): number {
  if (status === 401) return EXIT.notAuthenticated;
  return status >= 500 ? EXIT.unreachable : EXIT.refused;
}

/** Other servers also send codes that Parlance does not have. */
type Refusal = Pick<ChatError, 'status' | 'data' | 'message'> & { code: string | null };

function adviceOn({ code, status, data, message }: Refusal): string | undefined {
  if (status >= 500) {
    const seconds = data['retry-after'];
    return seconds === undefined ? 'See the server log for details.' : `Try again in ${seconds} s.`;
  }
  const [, missing] = /there is no (user|channel) (?!group|folder)/i.exec(message) ?? [];
  if (missing !== undefined) return `\`chatctl ${missing}s list\` shows them.`;
  if (/^You are not allowed to /.test(message)) return '`chatctl why me <command>` shows the rule that decides it.';
  switch (code) {
    case 'RATE_LIMIT_HIT':
      return `Try again in ${Math.ceil(Number(data['retry-after'] ?? 1))} s.`;
    case 'UNAUTHORIZED':
    case 'INVALID_API_KEY':
      return '`chatctl auth status` shows the account, and `chatctl auth login` saves a login. You can also set --user and --api-key, ZULIP_EMAIL and ZULIP_API_KEY, or a zuliprc.';
    case 'EXPECTATION_MISMATCH':
      return 'Another change came first. Look at the current version, then repeat your change.';
    case 'BAD_NARROW':
      return 'A narrow is a JSON list of pairs, such as [["channel","general"]].';
    default:
      return undefined;
  }
}

const STORAGE_ADVICE: Partial<Record<string, string>> = {
  'bad-address': 'Check --db or PARLANCE_DB.',
  'not-a-database': 'Use a database created by `chatctl init`.',
  'foreign-application': 'Use a database created by `chatctl init`. This file was not changed.',
  'newer-version':
    'Use a newer chatctl. To go back, restore the backup from before the upgrade: `chatctl restore FILE --replace NAME`.',
  busy: 'Try again in a moment.',
  unreachable: 'Check the path or the address, and the permissions. A PostgreSQL server must be running.',
  full: 'Free some disk space, then try again. Existing data is not affected.',
  io: 'Check the disk. If the database is damaged, move it and its -wal file away, then run `chatctl restore`.',
  'read-only': 'Check the write permissions of the database and its folder, and that the disk is writable.',
};
