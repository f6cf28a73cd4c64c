import { performance } from 'node:perf_hooks';
import { COLLECT_PENDING_MS } from '../domains/uploads/collection-times.ts';
import { Interruptible } from '../domains/uploads/interruptible.ts';
import type { Services } from '../kernel/context.ts';
import { BadRequest } from '../kernel/errors.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** Milliseconds after which somebody else may have the lease of a process that died. */
export const LEASE_MS = 6_000;
const RENEWED_MS = 1_500;
/** Whoever holds a lease lets go of it so long before others take it: clocks do not all run alike. */
const MARGIN_MS = 1_000;
/** An upload that is being written does not grow old. */
const KEPT_ALIVE_MS = COLLECT_PENDING_MS / 24;

/** 423: another request for the same upload has come, or has taken it over already. */
export class UploadBusy extends BadRequest {
  constructor() {
    super('Another request is working on this upload.', undefined, 423);
  }
}

/**
 * The right to write an upload, which one request has at a time, in whatever process. It is renewed until it is
 * released. Whoever else wants it is given it soon, since a request that has lost its client may wait for long.
 */
export class UploadLease {
  readonly #services: Services;
  readonly #uploadId: number;
  readonly #holder: string;
  readonly #timer: NodeJS.Timeout;
  #validUntil: number;
  #keptAliveAt: number;
  #hasGrown = false;
  readonly #reading = new Interruptible();

  /** @param takenAt by the monotonic clock, before the lease was written */
  constructor(services: Services, uploadId: number, holder: string, takenAt: number) {
    this.#services = services;
    this.#uploadId = uploadId;
    this.#holder = holder;
    this.#validUntil = takenAt + LEASE_MS - MARGIN_MS;
    this.#keptAliveAt = takenAt;
    this.#timer = setInterval(() => void this.#renew(), RENEWED_MS);
  }

  /** Somebody else wants it: what is being read is interrupted. */
  ask(): void {
    this.#reading.interrupt(new UploadBusy());
  }

  /** @throws UploadBusy where others may write by now */
  check(): void {
    if (performance.now() > this.#validUntil) throw new UploadBusy();
  }

  /** The pieces of a content, until somebody else wants the lease, also while none comes. */
  async *pieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#reading.pieces(content)) {
      this.check();
      this.#hasGrown = true;
      yield piece;
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { storage, clock, logger } = this.#services;
    const work = async (tx: Transaction) => {
      const isUnfinished = await tx.resumableUploads.release(this.#uploadId, this.#holder);
      if (isUnfinished && this.#hasGrown) await tx.uploads.postpone([this.#uploadId], clock.now() + COLLECT_PENDING_MS);
    };
    await storage.write(work, { shared: true, silent: true }).catch((error: unknown) => {
      // It runs out by itself.
      logger.warn({ error }, 'the lease of an upload was not released');
    });
  }

  async #renew(): Promise<void> {
    const { storage, clock, logger } = this.#services;
    const begun = performance.now();
    const isOld = begun - this.#keptAliveAt > KEPT_ALIVE_MS;
    try {
      const state = await storage.write(
        async (tx) => {
          const now = clock.now();
          const renewed = await tx.resumableUploads.renew(this.#uploadId, this.#holder, now + LEASE_MS);
          if (isOld && renewed !== 'lost') await tx.uploads.postpone([this.#uploadId], now + COLLECT_PENDING_MS);
          return renewed;
        },
        { shared: true, silent: true },
      );
      if (state === 'lost') this.#validUntil = 0;
      else this.#validUntil = begun + LEASE_MS - MARGIN_MS;
      if (isOld) this.#keptAliveAt = begun;
      if (state !== 'held') this.ask();
    } catch (error) {
      // It runs out unless the next attempt succeeds.
      logger.warn({ error }, 'the lease of an upload was not renewed');
    }
    if (performance.now() > this.#validUntil) this.ask();
  }
}
