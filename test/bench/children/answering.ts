// biome-ignore lint/suspicious/noExplicitAny: each handler knows its parameter
type Answers = Record<string, (given: any) => unknown>;

/** Responds to the requests of the parent process, and ends with it. */
export function answer(answers: Answers): void {
  process.on('message', ({ id, question, given }: { id: number; question: string; given: unknown }) => {
    const reply = async () => answers[question]?.(given);
    reply().then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

/** Microseconds of CPU this process has used. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Resident bytes after garbage collection. */
export async function residentBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage.rss();
}
