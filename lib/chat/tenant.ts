import { Semaphore } from '../storage/semaphore.ts';
import type { Chat } from './chat.ts';

/** Longest time in which an opening for background work keeps others waiting: a server may not answer. */
const WORK_OPENING_MS = 1_000;

/**
 * opening -> open -> closing. A tenant holds one of `maxOpen` places from before it opens until it has closed.
 */
export interface Tenant {
  readonly id: string;
  opening: Promise<Chat>;
  chat: Chat | undefined;
  closing: Promise<void> | undefined;
  hasPlace: boolean;
  leases: number;
  idleSince: number;
  /** It was opened only for background work, so it closes at once. */
  isForWork: boolean;
  /** It has run all work that was due. */
  hasRunDue: boolean;
}

export const isIdle = ({ chat, closing, leases }: Tenant) => chat !== undefined && !closing && leases === 0;

/** Openings of tenants for background work, one at a time. */
export class WorkOpenings {
  readonly #turns = new Semaphore(1);

  run<T>(open: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.#turns.run(() => {
        const opening = open();
        opening.then(resolve, reject);
        return withinTurn(opening);
      });
    });
  }
}

/** Resolves when the work has ended or failed, or after a second. */
export async function withinTurn(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((end) => {
    timer = setTimeout(end, WORK_OPENING_MS).unref();
  });
  await Promise.race([work.then(undefined, () => undefined), late]);
  clearTimeout(timer);
}
