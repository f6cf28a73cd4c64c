/** What a process that will be killed says on its way out: each line is written before anything else is done. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A logger's entry, as one line. */
export function report(data: object, message: string): void {
  const { error } = data as { error?: Error };
  say(`! ${message}: ${(error?.stack ?? '').replaceAll('\n', ' | ')}`);
}
