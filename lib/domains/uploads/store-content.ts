import type { FileStore } from '../../adapters/files.ts';
import { RateLimitHit, ServiceUnavailable } from '../../base/errors.ts';
import type { Services } from '../../viewer/context.ts';
import { fileStore } from './stored-file.ts';

const places = new WeakMap<FileStore, ContentPlaces>();

/**
 * Waits until the store can accept an upload of the account, of which it may keep megabytes in memory.
 * @param giveWay called when the upload must end, because others have waited long enough
 * @returns a function to call at the end of the upload
 * @throws RateLimitHit if too many uploads of the account wait
 */
export async function enterStore(services: Services, account: number | null, giveWay: () => void): Promise<() => void> {
  const store = fileStore(services);
  if (!store.gathersParts) return () => undefined;
  const own = places.get(store) ?? new ContentPlaces();
  places.set(store, own);
  return own.wait(account, giveWay);
}

/** Stores a whole file. @throws RateLimitHit if too many uploads of the account wait, ServiceUnavailable if too slow */
export async function storeContent(
  services: Services,
  account: number | null,
  key: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const store = fileStore(services);
  if (!store.gathersParts) return store.write(key, content);
  const reading = new Interruptible();
  const tooSlow = () =>
    new ServiceUnavailable('The upload is too slow, and other uploads are waiting. Try again later.', 5);
  const leave = await enterStore(services, account, () => reading.interrupt(tooSlow()));
  try {
    await store.write(key, reading.pieces(content));
  } finally {
    leave();
  }
}

/** Concurrent uploads, per account and in total. */
const MAX_PER_ACCOUNT = 4;
const MAX_UPLOADS = 32;
/** Waiting uploads per account. Once MAX_WAITING uploads wait, each account can have only one. */
const MAX_WAITING_PER_ACCOUNT = 50;
const MAX_WAITING = 500;
/** Seconds until the client may retry. */
const RETRY_AFTER = 5;
/** How long an upload can keep its place although others wait. */
const TURN_MS = 60_000;
/** How long to wait after giveWay() before calling it again. */
const REPEAT_MS = 1_000;

type Account = number | null;

interface Place {
  readonly account: Account;
  readonly since: number;
  readonly giveWay: () => void;
}

interface Waiting {
  readonly account: Account;
  begin(): void;
}

/** Limits the uploads that are in memory, in whole or in part, per account and in total. */
export class ContentPlaces {
  /** Oldest first. */
  readonly #taken = new Set<Place>();
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly turnMs = TURN_MS) {}

  isFullFor(account: Account): boolean {
    return [...this.#taken].filter((place) => place.account === account).length >= MAX_PER_ACCOUNT;
  }

  /** @returns a function that frees the place; undefined if no place is free */
  take(account: Account, giveWay = () => {}): (() => void) | undefined {
    if (this.isFullFor(account) || this.#taken.size >= MAX_UPLOADS) return undefined;
    const place = { account, since: performance.now(), giveWay };
    this.#taken.add(place);
    return () => {
      if (!this.#taken.delete(place)) return;
      for (const waiting of this.#waiting) waiting.begin();
      this.#makeRoom();
    };
  }

  /**
   * Like take(), but waits for a free place.
   * @param giveWay called when all places are taken, others wait and the minimum time is over
   * @throws RateLimitHit if too many uploads of the account wait
   */
  async wait(account: Account, giveWay: () => void): Promise<() => void> {
    const own = [...this.#waiting].filter((waiting) => waiting.account === account).length;
    if (own >= (this.#waiting.size < MAX_WAITING ? MAX_WAITING_PER_ACCOUNT : 1)) throw new RateLimitHit(RETRY_AFTER);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        account,
        begin: () => {
          const leave = this.take(account, giveWay);
          if (!leave) return;
          this.#waiting.delete(waiting);
          resolve(leave);
        },
      };
      this.#waiting.add(waiting);
      waiting.begin();
      this.#makeRoom();
    });
  }

  /** Asks the oldest upload to end if others wait, because an endless upload would block its place for ever. */
  #makeRoom(): void {
    const isWaitedFor = [...this.#waiting].some(({ account }) => !this.isFullFor(account));
    const [oldest] = this.#taken;
    if (!oldest || !isWaitedFor || this.#timer) return;
    const left = oldest.since + this.turnMs - performance.now();
    if (left <= 0) oldest.giveWay();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#makeRoom();
      },
      left > 0 ? left : REPEAT_MS,
    ).unref();
  }
}

/** Reading a stream that can be interrupted, even while it waits for the next piece. */
export class Interruptible {
  #error: Error | undefined;
  #interrupt: ((error: Error) => void) | undefined;

  interrupt(error: Error): void {
    this.#error ??= error;
    this.#interrupt?.(error);
  }

  /** @throws the error passed to interrupt() */
  async *pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const iterator = content[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
          this.#interrupt = reject;
          if (this.#error) reject(this.#error);
          else iterator.next().then(resolve, reject);
        });
        if (next.done) return;
        yield next.value;
      }
    } finally {
      this.#interrupt = undefined;
      // Not awaited: the iterator may wait for a piece that never arrives.
      iterator.return?.().catch(() => undefined);
    }
  }
}
