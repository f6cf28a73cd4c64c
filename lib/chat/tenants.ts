import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import type { Chat, StartOptions } from './chat.ts';
import type { ChatOptions } from './chat-options.ts';

/** Options of `openTenants`. Only `storage` is required. */
export interface TenantsOptions {
  /**
   * The database of a tenant. Called each time a tenant opens. Throw for an ID that you do not know: an SQLite file or
   * a schema that does not exist would be created. Check an ID before you use it in a path or a schema name.
   */
  storage: (id: string) => ChatOptions['storage'] | Promise<ChatOptions['storage']>;
  /**
   * The other options of `openChat` for a tenant, for example its `baseUrl` and `files`. Called each time it opens.
   * Tenants may share `mail` and `pushRelay`: create them once. `tenants.close()` closes them.
   */
  chatOptions?: (id: string) => Omit<ChatOptions, 'storage'>;
  /**
   * The IDs of all tenants. After `start`, and then every hour, the closed ones are opened one after the other to learn
   * when their background work is due. Without it, the background work of a tenant waits until the tenant is used once.
   */
  ids?: () => Iterable<string> | AsyncIterable<string>;
  /** Called when a tenant has opened, before it is used. Register listeners with `chat.on` here. */
  onOpen?: (chat: Chat, id: string) => unknown;
  /**
   * Most tenants that are open at a time. Default 100. An SQLite tenant keeps 5 files open, with
   * `footprint: 'small'` 3. On PostgreSQL, all share the connections of a pool.
   */
  maxOpen?: number;
  /** Milliseconds without use after which a tenant closes. Default 60000. */
  idleMs?: number;
  /** Milliseconds that a call waits while `maxOpen` tenants are in use. Default 10000. */
  waitMs?: number;
  /** Milliseconds that `close` waits for tenants in use. Default 10000. */
  closeTimeoutMs?: number;
  /** Time source of all tenants; tests pass their own. Default: as for `openChat`. */
  clock?: Clock;
  /** Receives log messages of all tenants. Default: writes errors and warnings to stderr. */
  logger?: Logger;
}

/** A tenant in use. It stays open until `release`. */
export interface TenantLease {
  /** The chat of the tenant. Do not use it or its sessions after `release`, and do not close it. */
  readonly chat: Chat;
  /** Ends the use. Repeated calls do nothing. */
  release(): void;
}

/** Numbers for monitoring. */
export interface TenantsState {
  /** Tenants that are open, including those that are opening or closing. */
  open: number;
  /** Tenants in use. */
  inUse: number;
  /** Closed tenants with background work at a known time. */
  scheduled: number;
  /** Tenants of `ids` that the current or last round has looked at. */
  lookedAt: number;
  /** Whether a round through `ids` has been completed. */
  isComplete: boolean;
}

/**
 * Many organizations in one process, each with its own database. A tenant opens when it is used and closes when it was
 * idle for some time.
 * @example
 * await tenants.with('acme', (chat) => chat.as('ada@acme.example').messages.send(message));
 */
export interface Tenants {
  /**
   * Runs `work` with the chat of a tenant. The tenant opens if necessary, and stays open until the work ends.
   * @throws StorageError `busy` if `maxOpen` tenants stay in use for `waitMs`, `closed` after `close`; the error of
   * `storage` or `openChat` if the tenant cannot be opened
   */
  with<T>(id: string, work: (chat: Chat) => T | Promise<T>): Promise<T>;
  /**
   * Like `with`, for uses that end elsewhere, such as a request that ends with its response. You must call `release`.
   * @throws StorageError as `with`
   */
  lease(id: string): Promise<TenantLease>;
  /**
   * Starts the background work of all tenants. A tenant opens when its work is due.
   * Call it in one process or in several: one of them does each work.
   */
  start(options?: StartOptions): void;
  /**
   * Closes one tenant and forgets when its work is due, for example before you delete or move its database. Ends its
   * long polls. Make `storage` refuse the ID first: the next use opens the tenant again.
   */
  forget(id: string): Promise<void>;
  /** Numbers for monitoring. */
  readonly state: TenantsState;
  /**
   * Ends long polls, waits up to `closeTimeoutMs` for tenants in use, and closes all tenants, then `mail` and
   * `pushRelay`. Later uses are refused.
   */
  close(): Promise<void>;
}
