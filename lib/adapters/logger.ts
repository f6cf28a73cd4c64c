/** The four methods of pino that Parlance uses. Pass a pino logger or your own object. */
export interface Logger {
  /** Details for debugging. */
  debug(data: object, message: string): void;
  /** Normal operation. */
  info(data: object, message: string): void;
  /** A problem that does not stop operation and should be looked at. */
  warn(data: object, message: string): void;
  /** A failure. */
  error(data: object, message: string): void;
}

/** Writes errors and warnings to stderr, one JSON object per line. Ignores other levels. */
export const stderrLogger: Logger = {
  debug() {},
  info() {},
  warn: (data, message) => writeLine('warn', data, message),
  error: (data, message) => writeLine('error', data, message),
};

function writeLine(level: string, data: object, message: string): void {
  const fields = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, value instanceof Error ? (value.stack ?? String(value)) : value]),
  );
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), message, ...fields })}\n`);
}
