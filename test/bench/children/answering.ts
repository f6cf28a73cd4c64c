// biome-ignore lint/suspicious/noExplicitAny: each answer knows what it is given
type Answers = Record<string, (given: any) => unknown>;

/** Answers the questions of the process that started this one, and ends with it. */
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

/** Resident bytes after everything that can be collected is. */
export async function residentBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage.rss();
}
