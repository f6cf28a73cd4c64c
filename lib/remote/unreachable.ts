/** The server could not be reached, or what answered is not a server of this API. */
export class Unreachable extends Error {
  constructor(site: string, cause: unknown) {
    super(`Cannot reach ${site}: ${reasonOf(cause)}`, { cause });
    this.name = 'Unreachable';
  }

  /** What answered sent no JSON: a proxy says by these statuses that it got nothing from the server behind it. */
  static notJson(site: string, status: number): Unreachable {
    const isOfProxy = status >= 502 && status <= 504;
    return new Unreachable(
      site,
      new Error(
        isOfProxy ? `a proxy got no answer from it (status ${status})` : `the answer (status ${status}) is not JSON`,
      ),
    );
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, reason } = cause as { code?: string; reason?: unknown };
  // Of a failure of TLS the message is a line of a log; the reason in it is for people.
  if (code?.startsWith('ERR_SSL_') && typeof reason === 'string') return reason;
  return cause.message || String(code);
}
