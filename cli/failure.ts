import type { ChatError, StorageError } from '../lib/index.ts';
import { codeOf, errorOf } from '../lib/internal.ts';
import { findVariable } from './environment.ts';
import { EXIT } from './exit-codes.ts';

export { EXIT };

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
    const advice = /`chatctl |run: GRANT /.test(error.message) ? undefined : adviceOnStorage(error);
    return report(EXIT.unreachable, error.message, advice);
  }
  if (error instanceof Unreachable) {
    return report(EXIT.unreachable, error.message, adviceOnSilence(error));
  }
  const fault = errorOf(error);
  return report(EXIT.unreachable, `Unexpected error: ${findVariable('PARLANCE_DEBUG') ? fault.stack : fault.message}`);
}

function adviceOnSilence({ message, cause }: Error): string {
  const advice = CERTIFICATE_ADVICE[codeOf(cause) ?? ''];
  if (advice !== undefined) return advice;
  if (/wrong version number|packet length too long/i.test(message))
    return 'The server seems to use plain HTTP. Use http:// in its address.';
  return 'Check the address, and that the server is running. `chatctl serve` starts a server.';
}

const RENEW =
  'The server answers, but its certificate is not valid now. Renew it, or correct the clock of this machine.';
const TRUST =
  'The server answers, but this machine does not trust its certificate. If it is of an authority of your own, name the file of the authority in NODE_EXTRA_CA_CERTS. Otherwise install a certificate of a public authority.';
const CHAIN =
  'The server answers, but does not send the whole chain of its certificate. Configure the file with all certificates ("fullchain"), or name the missing one in NODE_EXTRA_CA_CERTS.';

export const CERTIFICATE_ADVICE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: RENEW,
  CERT_NOT_YET_VALID: RENEW,
  CERT_REVOKED: RENEW,
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  CERT_UNTRUSTED: TRUST,
  UNABLE_TO_GET_ISSUER_CERT: CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CHAIN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CHAIN,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The server answers, but its certificate is for another host name. Use a name from the certificate, or get one for this name.',
};

/** Errors of a server have no class here. */
export const isCodeMissing = (error: unknown): boolean =>
  codeOf(error) === 'SECOND_FACTOR_NEEDED' && (error as ChatError).data.reason === 'code_missing';

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
  const [, missing] = /there is no (user group|user|channel) (?!folder)/i.exec(message) ?? [];
  if (missing !== undefined) return `\`chatctl ${missing.toLowerCase().replace(' ', '-')}s list\` shows them.`;
  if (/^This server sends no e-mail/.test(message))
    return 'Set PARLANCE_SMTP and PARLANCE_MAIL_FROM: for `chatctl serve`, and for this command with --db.';
  if (/^You are not allowed to /.test(message)) return '`chatctl why me <command>` shows the rule that decides it.';
  switch (code) {
    case 'RATE_LIMIT_HIT':
      return `Try again in ${Math.ceil(Number(data['retry-after'] ?? 1))} s.`;
    case 'UNAUTHORIZED':
    case 'INVALID_API_KEY':
      return '`chatctl auth status` shows the account, and `chatctl auth login` saves a login. You can also set --user and --api-key, ZULIP_EMAIL and ZULIP_API_KEY, or a zuliprc.';
    case 'EMAIL_ALREADY_IN_USE': {
      const [, address] = /"([^"]+)" is deactivated/.exec(message) ?? [];
      return (
        address && `\`chatctl users reactivate ${address}\` does it. \`chatctl users edit\` changes its name and role.`
      );
    }
    case 'EXPECTATION_MISMATCH':
      return 'Another change came first. Look at the current version, then repeat your change.';
    case 'BAD_NARROW':
      return 'A narrow is a JSON list of pairs, such as [["channel","general"]].';
    default:
      return undefined;
  }
}

/** The server of the database has refused the login, or has no such database: it is running. */
const LOGIN_REFUSED: Partial<Record<string, string>> = {
  '28P01': 'Check the user and the password in the address.',
  '28000': 'Check the user in the address, and the rules for it in pg_hba.conf.',
  '3D000': 'Create the database first (CREATE DATABASE), or correct its name in the address.',
};

function adviceOnStorage({ reason, cause }: StorageError): string | undefined {
  return LOGIN_REFUSED[codeOf(cause) ?? ''] ?? STORAGE_ADVICE[reason];
}

const STORAGE_ADVICE: Partial<Record<string, string>> = {
  'bad-address': 'Check --db or PARLANCE_DB.',
  'not-a-database': 'Use a database created by `chatctl init`.',
  'foreign-application': 'Use a database created by `chatctl init`. This file was not changed.',
  'newer-version':
    'Use a newer chatctl. To go back, restore the backup from before the upgrade: `chatctl restore FILE --replace NAME`.',
  busy: 'Try again in a moment.',
  moved: 'Use the database that the message names. `chatctl tenants move` also continues an interrupted move.',
  unreachable: 'Check the path or the address, and the permissions. A PostgreSQL server must be running.',
  full: 'Free some disk space, then try again. Existing data is not affected.',
  io: 'Check the disk. If the database is damaged, move it and its -wal file away, then run `chatctl restore`.',
  'read-only': 'Check the write permissions of the database and its folder, and that the disk is writable.',
};
