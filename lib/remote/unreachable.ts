/** The server could not be reached, or what answered is not a server of this API. */
export class Unreachable extends Error {
  constructor(site: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
    super(`Cannot reach ${site}: ${reason}`, { cause });
    this.name = 'Unreachable';
  }
}
