import { performance } from 'node:perf_hooks';
import { BadRequest } from '../base/errors.ts';
import { Interruptible } from '../domains/uploads/store-content.ts';
import { COLLECT_PENDING_MS } from '../domains/uploads/stored-file.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import type { Services } from '../viewer/context.ts';

/** After this time without renewal, another request may take the lease. */
export const LEASE_MS = 6_000;
const RENEWED_MS = 1_500;
/** The holder stops this much earlier, since the clocks of the processes may differ. */
const MARGIN_MS = 1_000;
/** Interval in which the expiry of an upload that is being written is postponed. */
const KEPT_ALIVE_MS = COLLECT_PENDING_MS / 24;

/** 423: another request for the same upload is waiting, or has taken the lease. */
export class UploadBusy extends BadRequest {
  constructor() {
    super('Another request is writing this upload. Retry later.', undefined, 423);
  }
}

/**
 * The lease to write an upload. One request at a time holds it, in any process, and renews it until release. The
 * holder gives it up soon after another request asks: a request whose client is gone could otherwise block for long.
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

  /** @param takenAt `performance.now()` before the lease was written */
  constructor(services: Services, uploadId: number, holder: string, takenAt: number) {
    this.#services = services;
    this.#uploadId = uploadId;
    this.#holder = holder;
    this.#validUntil = takenAt + LEASE_MS - MARGIN_MS;
    this.#keptAliveAt = takenAt;
    this.#timer = setInterval(() => void this.#renew(), RENEWED_MS);
  }

  /** Another request wants the lease: interrupts the reading of the content. */
  ask(): void {
    this.#reading.interrupt(new UploadBusy());
  }

  /** @throws UploadBusy if another request may hold the lease now */
  check(): void {
    if (performance.now() > this.#validUntil) throw new UploadBusy();
  }

  /** The pieces of a content, until another request wants the lease. Also interrupts the wait for a piece. */
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
    await storage.write(work, 'silent').catch((error: unknown) => {
      // The lease expires anyway.
      logger.warn({ error }, 'the lease of an upload was not released');
    });
  }

  async #renew(): Promise<void> {
    const { storage, clock, logger } = this.#services;
    const begun = performance.now();
    const isOld = begun - this.#keptAliveAt > KEPT_ALIVE_MS;
    try {
      const state = await storage.write(async (tx) => {
        const now = clock.now();
        const renewed = await tx.resumableUploads.renew(this.#uploadId, this.#holder, now + LEASE_MS);
        if (isOld && renewed !== 'lost') await tx.uploads.postpone([this.#uploadId], now + COLLECT_PENDING_MS);
        return renewed;
      }, 'silent');
      if (state === 'lost') this.#validUntil = 0;
      else this.#validUntil = begun + LEASE_MS - MARGIN_MS;
      if (isOld) this.#keptAliveAt = begun;
      if (state !== 'held') this.ask();
    } catch (error) {
      // The lease expires unless the next renewal succeeds.
      logger.warn({ error }, 'the lease of an upload was not renewed');
    }
    if (performance.now() > this.#validUntil) this.ask();
  }
}
