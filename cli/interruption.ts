import { EXIT } from './failure.ts';

/** Ends the program as Ctrl-C does. */
export const exitInterrupted = () => process.exit(EXIT.interrupted);

/** Ctrl-C ends the program at once, unless a command asks to finish first. */
export function exitWhenInterrupted(): void {
  process.on('SIGINT', exitInterrupted);
}

/** Says something before Ctrl-C ends the program; gives what takes that back. */
export function onLeaving(say: () => void): () => void {
  process.prependListener('SIGINT', say);
  return () => void process.off('SIGINT', say);
}

/** Calls `stop` at the first SIGINT or SIGTERM; a second one ends it at once. */
export function onInterruption(stop: (signal: NodeJS.Signals) => void): void {
  process.off('SIGINT', exitInterrupted);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.on(signal, exitInterrupted);
      stop(signal);
    });
  }
}

/** While another program has the terminal, Ctrl-C is meant for that program. */
export async function ignoringInterruption<T>(work: () => Promise<T>): Promise<T> {
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  process.off('SIGINT', exitInterrupted);
  try {
    return await work();
  } finally {
    process.on('SIGINT', exitInterrupted);
    process.off('SIGINT', ignore);
  }
}
