import { EXIT } from './failure.ts';

export const exitInterrupted = () => process.exit(EXIT.interrupted);

/** Calls `say` before Ctrl-C exits. Returns a function that cancels this. */
export function onLeaving(say: () => void): () => void {
  process.prependListener('SIGINT', say);
  return () => void process.off('SIGINT', say);
}

/** Calls `stop` at the first SIGINT or SIGTERM. A second signal exits immediately. */
export function onInterruption(stop: (signal: NodeJS.Signals) => void): void {
  process.off('SIGINT', exitInterrupted);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.on(signal, exitInterrupted);
      stop(signal);
    });
  }
}

/** Ignores Ctrl-C while another program, such as an editor, uses the terminal. */
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
