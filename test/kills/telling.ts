/** Output of a process that will be killed: each line is written before the next step. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A log entry as one line. */
export function report(data: object, message: string): void {
  const { error } = data as { error?: Error };
  say(`! ${message}: ${(error?.stack ?? '').replaceAll('\n', ' | ')}`);
}
