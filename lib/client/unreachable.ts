/** The server could not be reached, or the response is not of this API. `cause` is the original error. */
export class Unreachable extends Error {
  constructor(site: string, cause: unknown) {
    super(`Cannot reach ${site}: ${reasonOf(cause)}`, { cause });
    this.name = 'Unreachable';
  }

  /** The response is not JSON. With status 502, 503 or 504, a proxy got no response from the server behind it. */
  static notJson(site: string, status: number): Unreachable {
    const isOfProxy = status >= 502 && status <= 504;
    return new Unreachable(
      site,
      new Error(
        isOfProxy
          ? `a proxy got no response from it (status ${status})`
          : `the response (status ${status}) is not JSON`,
      ),
    );
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, reason } = cause as { code?: string; reason?: unknown };
  // For TLS errors, `message` is a log line of OpenSSL. `reason` is readable.
  if (code?.startsWith('ERR_SSL_') && typeof reason === 'string') return reason;
  return cause.message || String(code);
}
