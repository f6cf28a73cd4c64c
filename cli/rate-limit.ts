import { setTimeout as sleep } from 'node:timers/promises';
import type { Terminal } from './output/terminal.ts';

/** Seconds. Whoever is asked to wait for longer had better come again. */
const LONGEST_WAIT = 300;

/** What a refusal for having asked too often says, wherever it comes from. */
function secondsToWait(error: unknown): number | undefined {
  const { status, data } = (error ?? {}) as { status?: number; data?: Record<string, unknown> };
  if (status !== 429) return undefined;
  const seconds = Number(data?.['retry-after'] ?? 1);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1;
}

/** Waits as long as the server asks, telling so, and asks again; how often does not matter. */
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

/** A session whose calls wait where the server asks for it. */
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
    // What comes from a pipe has passed by when the refusal arrives.
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
