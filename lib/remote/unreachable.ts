/** The server could not be reached, or what answered is not a server of this API. */
export class Unreachable extends Error {
  constructor(site: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
    super(`Cannot reach ${site}: ${reason}`, { cause });
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
