import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from './output/terminal.ts';

/** Seconds. Fails if the server asks for a longer wait. */
const LONGEST_WAIT = 300;

/** The wait in a 429 response. Undefined for other errors. */
function secondsToWait(error: unknown): number | undefined {
  const { status, data } = (error ?? {}) as { status?: number; data?: Record<string, unknown> };
  if (status !== 429) return undefined;
  const seconds = Number(data?.['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1;
}

/** Retries after 429 until the request succeeds. Prints each wait. */
export async function waitingOut<T>(work: () => Promise<T>, terminal: Pick<Terminal, 'err'>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const seconds = secondsToWait(error);
      if (seconds === undefined || seconds > LONGEST_WAIT) throw error;
      terminal.err(`Too many requests; waiting ${seconds} s (Ctrl-C to stop).`);
      await sleep(seconds * 1_000);
    }
  }
}

/** Wraps a session: its methods wait and retry after 429. */
export function patient<S extends object>(session: S, terminal: Pick<Terminal, 'err'>): S {
  return new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === 'function') return patientMethod(target, value as Method, terminal);
      return typeof value === 'object' && value !== null ? patient(value, terminal) : value;
    },
  });
}

type Method = (...given: unknown[]) => unknown;

function patientMethod(target: object, method: Method, terminal: Pick<Terminal, 'err'>): Method {
  return (...given) => {
    const answer = Reflect.apply(method, target, given);
    if (!(answer instanceof Promise)) return answer;
    // A stream from a pipe cannot be read again for a retry.
    if (!given.every(canBeSentAgain)) return answer;
    let first: Promise<unknown> | undefined = answer;
    return waitingOut(() => {
      const present = first ?? (Reflect.apply(method, target, given) as Promise<unknown>);
      first = undefined;
      return present;
    }, terminal);
  };
}

function canBeSentAgain(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return true;
  return Object.values(given).every(
    (value) => typeof value !== 'object' || value === null || !('content' in value) || isRereadable(value.content),
  );
}

const isRereadable = (content: unknown) => typeof content !== 'object' || content === null || 'from' in content;
