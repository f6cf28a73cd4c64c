/** The four methods of pino that Parlance uses; hand in your own. */
export interface Logger {
  /** Only of use when something is looked into. */
  debug(data: object, message: string): void;
  /** What an operator may want to know. */
  info(data: object, message: string): void;
  /** What goes on, and should be looked at. */
  warn(data: object, message: string): void;
  /** What did not work. */
  error(data: object, message: string): void;
}

/** Errors and warnings as JSON lines on standard error; nothing else. */
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
