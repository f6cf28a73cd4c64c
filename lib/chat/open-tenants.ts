import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from '../adapters/clock.ts';
import { type Logger, stderrLogger } from '../adapters/logger.ts';
import { Semaphore } from '../storage/semaphore.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { Chat, StartOptions } from './chat.ts';
import { openChatWith } from './open-chat.ts';
import { isIdle, type Tenant, WorkOpenings, withinTurn } from './tenant.ts';
import type { TenantLease, Tenants, TenantsOptions, TenantsState } from './tenants.ts';
import { transportOf } from './transport.ts';

/** Pause between two rounds through `ids`: another process may have added work to a tenant that is closed here. */
const BETWEEN_ROUNDS_MS = 3_600_000;
/** Pause after background work has failed, or has left work that is due. */
const RETRY_MS = 5_000;
/** Longest sleep. The clock of the machine may be changed. */
const LONGEST_SLEEP_MS = 60_000;
/** Longest delay that Node timers accept. */
const LONG_MS = 2 ** 31 - 1;

/**
 * Opens tenants when they are used. Nothing is opened here: this returns at once.
 * @example
 * const tenants = openTenants({
 *   storage: (id) => {
 *     if (!customers.has(id)) throw new Error(`There is no customer ${id}.`);
 *     return sqlite(`data/${id}.db`, { footprint: 'small' });
 *   },
 *   ids: () => customers.keys(),
 *   maxOpen: 200,
 * });
 * tenants.start();
 */
export function openTenants(options: TenantsOptions): Tenants {
  return new OpenTenants(options);
}

class OpenTenants implements Tenants {
  readonly #options: TenantsOptions;
  readonly #maxOpen: number;
  readonly #idleMs: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Least recently used first. */
  readonly #tenants = new Map<string, Tenant>();
  /** When the work of closed tenants is due. */
  readonly #due = new Map<string, number>();
  /** Closed tenants whose work is due and waits for its turn. */
  readonly #dueNow = new Set<string>();
  /** Background work never takes all places. */
  readonly #workers: Semaphore;
  /** Background work opens one tenant at a time, so that users wait for one opening at most. */
  readonly #workOpenings = new WorkOpenings();
  readonly #senders = new Set<{ close(): Promise<void> }>();
  #places = 0;
  /** Tenants that wait for a place. They get it in order. */
  #waiting = 0;
  #onChange: (() => void)[] = [];
  #cancelIdle: (() => void) | undefined;
  #cancelDue: (() => void) | undefined;
  #keepingAlive: NodeJS.Timeout | undefined;
  #isStarted = false;
  #closing: Promise<void> | undefined;
  #lookedAt = 0;
  #isComplete = false;

  constructor(options: TenantsOptions) {
    const { maxOpen = 100, idleMs = 60_000 } = options;
    if (!(maxOpen >= 1)) throw new RangeError('maxOpen must be at least 1.');
    this.#options = options;
    this.#maxOpen = maxOpen;
    this.#idleMs = idleMs;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? stderrLogger;
    this.#workers = new Semaphore(Math.max(1, Math.floor(maxOpen / 2)));
  }

  get state(): TenantsState {
    return {
      open: this.#places,
      inUse: [...this.#tenants.values()].filter(({ leases }) => leases > 0).length,
      scheduled: this.#due.size,
      lookedAt: this.#lookedAt,
      isComplete: this.#isComplete,
    };
  }

  async with<T>(id: string, work: (chat: Chat) => T | Promise<T>): Promise<T> {
    const { chat, release } = await this.lease(id);
    try {
      return await work(chat);
    } finally {
      release();
    }
  }

  lease(id: string): Promise<TenantLease> {
    return this.#lease(id, { isForWork: false });
  }

  start({ keepAlive = false }: StartOptions = {}): void {
    if (this.#closing) return;
    if (keepAlive) this.#keepingAlive ??= setInterval(() => undefined, LONG_MS);
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const { chat, isForWork } of this.#tenants.values()) if (!isForWork) chat?.start();
    this.#armDue();
    this.#startRound();
  }

  async forget(id: string): Promise<void> {
    this.#dueNow.delete(id);
    const tenant = this.#tenants.get(id);
    if (tenant) await this.#close(tenant);
    this.#due.delete(id);
    this.#dueNow.delete(id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #lease(id: string, { isForWork }: { isForWork: boolean }): Promise<TenantLease> {
    let tenant = this.#tenants.get(id);
    while (tenant?.closing) {
      await tenant.closing;
      tenant = this.#tenants.get(id);
    }
    if (this.#closing) throw closed();
    tenant ??= this.#admit(id, { isForWork });
    tenant.leases++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(tenant);
    };
    try {
      const chat = await tenant.opening;
      if (!isForWork) {
        tenant.isForWork = tenant.hasRunDue = false;
        if (this.#isStarted) chat.start();
      }
      return { chat, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #admit(id: string, { isForWork }: { isForWork: boolean }): Tenant {
    const tenant: Tenant = {
      id,
      opening: Promise.resolve(undefined as never),
      chat: undefined,
      closing: undefined,
      hasPlace: false,
      leases: 0,
      idleSince: 0,
      isForWork,
      hasRunDue: false,
    };
    this.#tenants.set(id, tenant);
    tenant.opening = this.#open(tenant);
    // All users get the error. The next use tries again.
    tenant.opening.catch(() => this.#remove(tenant));
    return tenant;
  }

  async #open(tenant: Tenant): Promise<Chat> {
    await this.#takePlace(tenant).finally(() => this.#waiting--);
    const { storage, chatOptions, onOpen, clock } = this.#options;
    const options = { logger: this.#logger, ...(clock && { clock }), ...chatOptions?.(tenant.id) };
    for (const sender of [options.mail, options.pushRelay]) if (sender) this.#senders.add(sender);
    const chat = await openChatWith(
      { ...options, storage: await storage(tenant.id) },
      {
        ownsSenders: false,
        // `storage` says where it is now. A use that is refused in `onOpen` fails anyway.
        onMoved: () => void (tenant.chat && this.#close(tenant)),
      },
    );
    try {
      await onOpen?.(chat, tenant.id);
    } catch (error) {
      await chat.close();
      throw error;
    }
    tenant.chat = chat;
    this.#due.delete(tenant.id);
    return chat;
  }

  async #takePlace(tenant: Tenant): Promise<void> {
    this.#waiting++;
    const { waitMs = 10_000 } = this.#options;
    const end = performance.now() + waitMs;
    while (this.#places >= this.#maxOpen) {
      this.#closeOneIdle();
      if (this.#closing) throw closed();
      if (performance.now() >= end) throw allInUse(this.#maxOpen, waitMs);
      await this.#change(end - performance.now());
    }
    if (this.#closing) throw closed();
    this.#places++;
    tenant.hasPlace = true;
  }

  /**
   * Closes the idle tenant that was used least recently, unless enough tenants are closing. Avoids one with running
   * background work, which would delay the closing.
   */
  #closeOneIdle(): void {
    const all = [...this.#tenants.values()];
    if (all.filter(({ closing }) => closing).length >= this.#waiting) return;
    const idle = all.filter(isIdle);
    const tenant = idle.find(({ chat }) => chat && !transportOf(chat).engine.worker.isBusy) ?? idle[0];
    if (tenant) void this.#close(tenant);
  }

  /** Resolves when a tenant was released or has closed. */
  async #change(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onChange.push(resolve);
      timer = setTimeout(resolve, Math.min(ms, LONG_MS));
    });
    clearTimeout(timer);
  }

  #changed(): void {
    for (const resolve of this.#onChange.splice(0)) resolve();
  }

  #release(tenant: Tenant): void {
    tenant.leases--;
    if (tenant.leases > 0) return;
    this.#changed();
    if (!isIdle(tenant)) return;
    if (tenant.isForWork) return void this.#close(tenant);
    tenant.idleSince = this.#clock.now();
    this.#tenants.delete(tenant.id);
    this.#tenants.set(tenant.id, tenant);
    this.#armIdle();
  }

  #armIdle(): void {
    if (this.#cancelIdle || this.#closing) return;
    const [first] = [...this.#tenants.values()].filter(isIdle);
    if (!first) return;
    this.#cancelIdle = this.#clock.after(first.idleSince + this.#idleMs - this.#clock.now(), () => {
      this.#cancelIdle = undefined;
      const until = this.#clock.now() - this.#idleMs;
      for (const tenant of this.#tenants.values()) {
        if (isIdle(tenant) && tenant.idleSince <= until) void this.#close(tenant);
      }
      this.#armIdle();
    });
  }

  /** Never rejects: an error is logged. */
  #close(tenant: Tenant): Promise<void> {
    tenant.closing ??= this.#closeNow(tenant)
      .catch((error) => this.#logger.error({ error, tenant: tenant.id }, 'closing a tenant failed'))
      .finally(() => this.#remove(tenant));
    return tenant.closing;
  }

  async #closeNow(tenant: Tenant): Promise<void> {
    const chat = await tenant.opening.catch(() => undefined);
    if (!chat) return;
    const { worker } = transportOf(chat).engine;
    try {
      // Stopped first, so that it does not change what is due.
      await worker.stop();
      const next = await worker.nextDue();
      const now = this.#clock.now();
      // Work that is still due after a run cannot run now.
      const isStuck = tenant.hasRunDue && next !== undefined && next <= now;
      if (next !== undefined) this.#schedule(tenant.id, isStuck ? now + RETRY_MS : next);
    } catch (error) {
      this.#logger.error({ error, tenant: tenant.id }, 'reading the due background work of a tenant failed');
      this.#schedule(tenant.id, this.#clock.now() + RETRY_MS);
    } finally {
      await chat.close();
    }
  }

  #remove(tenant: Tenant): void {
    if (this.#tenants.get(tenant.id) === tenant) this.#tenants.delete(tenant.id);
    if (tenant.hasPlace) this.#places--;
    tenant.hasPlace = false;
    this.#changed();
  }

  #schedule(id: string, at: number): void {
    this.#due.set(id, at);
    this.#armDue();
  }

  #armDue(): void {
    this.#cancelDue?.();
    this.#cancelDue = undefined;
    if (!this.#isStarted || this.#closing) return;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, at] of this.#due) {
      if (at > now) next = Math.min(next, at);
      else if (this.#due.delete(id)) void this.#runDue(id);
    }
    if (this.#due.size === 0) return;
    this.#cancelDue = this.#clock.after(Math.min(next - now, LONGEST_SLEEP_MS), () => this.#armDue());
  }

  async #runDue(id: string): Promise<void> {
    this.#dueNow.add(id);
    try {
      await this.#workers.run(async () => {
        const lease = await this.#workOpenings.run(async () => {
          await this.#tenants.get(id)?.closing;
          return this.#dueNow.delete(id) ? this.#lease(id, { isForWork: true }) : undefined;
        });
        await lease?.chat.runDue().finally(() => {
          const tenant = this.#tenants.get(id);
          if (tenant) tenant.hasRunDue = true;
          lease.release();
        });
      });
    } catch (error) {
      if (this.#closing) return;
      this.#logger.error({ error, tenant: id }, 'the background work of a closed tenant failed');
      if (!this.#tenants.has(id)) this.#schedule(id, this.#clock.now() + RETRY_MS);
    }
  }

  #startRound(): void {
    const { ids } = this.#options;
    if (!ids || this.#closing) return;
    this.#lookThrough(ids)
      .catch((error) => this.#logger.error({ error }, 'listing the tenants failed'))
      .finally(() => this.#clock.after(BETWEEN_ROUNDS_MS, () => this.#startRound()));
  }

  /** Opens and closes each closed tenant, to learn when its work is due. Uses at most half of the time. */
  async #lookThrough(ids: NonNullable<TenantsOptions['ids']>): Promise<void> {
    this.#lookedAt = 0;
    for await (const id of ids()) {
      if (this.#closing) return;
      const start = performance.now();
      if (!this.#tenants.has(id)) await withinTurn(this.#lookAt(id));
      this.#lookedAt++;
      await delay(performance.now() - start, undefined, { ref: false });
    }
    this.#isComplete = true;
  }

  async #lookAt(id: string): Promise<void> {
    try {
      const { release } = await this.#workOpenings.run(() => this.#lease(id, { isForWork: true }));
      release();
      await this.#tenants.get(id)?.closing;
    } catch (error) {
      if (this.#closing) return;
      this.#logger.error({ error, tenant: id }, 'looking for due background work of a tenant failed');
    }
  }

  async #closeAll(): Promise<void> {
    this.#cancelIdle?.();
    this.#cancelDue?.();
    this.#changed();
    // Requests that wait for events would hold their tenants for up to a minute.
    for (const { chat } of this.#tenants.values()) if (chat) transportOf(chat).engine.hub.close();
    const end = performance.now() + (this.#options.closeTimeoutMs ?? 10_000);
    while (this.state.inUse > 0 && performance.now() < end) await this.#change(end - performance.now());
    for (const tenant of this.#tenants.values()) void this.#close(tenant);
    // Others are opening, and close later: `storage` or `onOpen` may never end.
    await Promise.all([...this.#tenants.values()].map(({ chat, closing }) => chat && closing));
    clearInterval(this.#keepingAlive);
    const closings = await Promise.allSettled([...this.#senders].map((sender) => sender.close()));
    for (const result of closings) if (result.status === 'rejected') throw result.reason;
  }
}

const closed = () => new StorageError('The tenants have been closed.', 'closed');
const allInUse = (maxOpen: number, waitMs: number) =>
  new StorageError(
    `All ${maxOpen} tenants that may be open were in use for ${waitMs / 1000} s. Retry later, or raise maxOpen.`,
    'busy',
  );
