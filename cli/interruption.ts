import { EXIT } from './failure.ts';

/** Ends the program as Ctrl-C does. */
export const leave = () => process.exit(EXIT.interrupted);

/** Ctrl-C leaves at once, unless a command asks to finish first. */
export function leaveWhenInterrupted(): void {
  process.on('SIGINT', leave);
}

/** Calls `stop` at the first SIGINT or SIGTERM; a second one leaves at once. */
export function onInterruption(stop: (signal: NodeJS.Signals) => void): void {
  process.off('SIGINT', leave);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.on(signal, leave);
      stop(signal);
    });
  }
}

/** While another program has the terminal, Ctrl-C is meant for that program. */
export async function withoutInterruption<T>(work: () => Promise<T>): Promise<T> {
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  process.off('SIGINT', leave);
  try {
    return await work();
  } finally {
    process.on('SIGINT', leave);
    process.off('SIGINT', ignore);
  }
}
