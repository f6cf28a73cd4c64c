import { deriveApiKey, sameKey } from '../access/api-keys.ts';
import { registered } from '../kernel/catalogue.ts';
import { type Caller, Engine } from '../kernel/engine.ts';
import { Unauthorized } from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import type { DecodeParameter } from '../kernel/parameters.ts';
import { unwrapRawJson } from '../kernel/raw-json.ts';
import { type Session, sessionOver } from '../kernel/session.ts';
import { type Clock, systemClock } from '../ports/clock.ts';
import type { Images } from '../ports/images.ts';
import { type Logger, stderrLogger } from '../ports/logger.ts';
import type { Mail } from '../ports/mail.ts';
import { sharpImages } from '../ports/sharp-images.ts';
import type { EmojiImage, OutboxItem, Storage } from '../storage/storage.ts';
import { foundOrganization, type NewOrganization } from './create-organization.ts';

export interface ChatOptions {
  /** `sqlite('chat.db')` or `postgres('postgres://…')`. */
  storage: Storage;
  /** Where the outside reaches this organization, e.g. `https://chat.example.com`. Default: where the server listens. */
  baseUrl?: string;
  /** Development mode: anybody may fetch any account's API key. Never in production. */
  development?: boolean;
  /** Whether the organization may open channels to the public web. Default true. */
  webPublicChannels?: boolean;
  /** Seconds a long poll is held before it answers with a heartbeat. Default 50. */
  heartbeatSeconds?: number;
  /** Carries e-mail; without one, letters are not sent. */
  mail?: Mail;
  /** Works on pictures that people send. Default: sharp, which npm installs where it can. */
  images?: Images;
  clock?: Clock;
  logger?: Logger;
}

/** An account, by id, by e-mail address, or as an object holding its id. */
export type UserReference = number | string | { user_id: number };

export interface Chat {
  /** The session of an account, trusted without credentials: for code that has its own login. */
  as(user: UserReference, options?: { client?: string }): Session;
  /** A session without credentials, for what anybody may do. */
  anonymous(options?: { client?: string }): Session;
  /** Creates the organization and its first owner in an empty database; refuses otherwise. */
  createOrganization(organization: NewOrganization): Promise<{ user_id: number; email: string; api_key: string }>;
  /** Whether this database holds an organization already. */
  hasOrganization(): Promise<boolean>;
  /** The API key of an account. */
  apiKeyOf(user: UserReference): Promise<string>;
  /** Starts the background worker and notices other processes; the server does this for you. */
  start(): void;
  /** Does everything due at this moment of the clock; returns how many things it did. */
  runDue(): Promise<number>;
  /** Side effects that were given up, newest first, with the reason. */
  givenUp(limit?: number): Promise<OutboxItem[]>;
  /** Lets polls go, finishes what is under way and closes the storage. */
  close(): Promise<void>;

  // For faces: a server, a command line, a bridge.

  /** Who these Basic credentials belong to; throws `Unauthorized`. */
  authenticate(email: string, apiKey: string): Promise<{ userId: number; keyGeneration: number }>;
  /** The id of an account; throws `Unauthorized` when there is none. */
  resolveUser(user: UserReference): Promise<number>;
  /** The picture of a custom emoji, by the last part of its address. */
  emojiImage(fileName: string): Promise<EmojiImage | undefined>;
  /** Runs an operation. Large fields of the result may be `RawJson`. */
  call(
    operation: Operation,
    caller: Caller,
    values?: Readonly<Record<string, unknown>>,
    decode?: DecodeParameter,
  ): Promise<object>;
  readonly baseUrl: string;
  /** A server says where it listens; taken as the base URL unless one was configured. */
  listensAt(url: string): void;
  readonly development: boolean;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Long polls held at the moment. */
  readonly waitingPolls: number;
}

/** Opens a chat on a storage; migrations run first. */
export async function openChat(options: ChatOptions): Promise<Chat> {
  await options.storage.open();
  return new OpenChat(options);
}

const CLIENT = 'Parlance';
/** API keys checked lately, so that a request need not derive its key again. */
const KNOWN_KEYS = 10_000;

class OpenChat implements Chat {
  readonly #engine: Engine;
  readonly #keys = new Map<string, { userId: number; keyGeneration: number; key: string }>();
  readonly #hasBaseUrl: boolean;
  #closing: Promise<void> | undefined;

  constructor(options: ChatOptions) {
    this.#hasBaseUrl = options.baseUrl !== undefined;
    this.#engine = new Engine(
      {
        storage: options.storage,
        clock: options.clock ?? systemClock,
        logger: options.logger ?? stderrLogger,
        mail: options.mail,
        images: options.images ?? sharpImages(),
        baseUrl: (options.baseUrl ?? 'http://localhost:9991').replace(/\/+$/, ''),
        development: options.development ?? false,
        webPublicChannels: options.webPublicChannels ?? true,
        heartbeatSeconds: options.heartbeatSeconds ?? 50,
      },
      registered,
    );
    options.storage.onForeignCommit(() => {
      this.#keys.clear();
      this.#engine.hub.wake();
      this.#engine.worker.rearm();
    });
  }

  get baseUrl(): string {
    return this.#engine.options.baseUrl;
  }
  listensAt(url: string): void {
    if (!this.#hasBaseUrl) this.#engine.options.baseUrl = url.replace(/\/+$/, '');
  }
  get development(): boolean {
    return this.#engine.options.development;
  }
  get logger(): Logger {
    return this.#engine.logger;
  }
  get clock(): Clock {
    return this.#engine.clock;
  }
  get waitingPolls(): number {
    return this.#engine.hub.waiting;
  }

  as(user: UserReference, options: { client?: string } = {}): Session {
    const client = options.client ?? CLIENT;
    return sessionOver(async (operation, parameters, signal) => {
      const userId = await this.resolveUser(user);
      return this.#invoke(operation, { userId, client, ...(signal ? { signal } : {}) }, parameters);
    });
  }

  anonymous(options: { client?: string } = {}): Session {
    const client = options.client ?? CLIENT;
    return sessionOver((operation, parameters) => this.#invoke(operation, { userId: null, client }, parameters));
  }

  async #invoke(operation: Operation, caller: Caller, parameters: Record<string, unknown>): Promise<object> {
    return unwrapRawJson(await this.#engine.call(operation, caller, parameters));
  }

  call(
    operation: Operation,
    caller: Caller,
    values?: Readonly<Record<string, unknown>>,
    decode?: DecodeParameter,
  ): Promise<object> {
    return this.#engine.call(operation, caller, values, decode);
  }

  createOrganization(organization: NewOrganization) {
    return foundOrganization(this.#engine, organization);
  }

  hasOrganization(): Promise<boolean> {
    return this.#engine.storage.read(async (tx) => (await tx.organization.get()) !== undefined);
  }

  async resolveUser(user: UserReference): Promise<number> {
    if (typeof user === 'number') return user;
    if (typeof user === 'object') return user.user_id;
    const known = this.#keys.get(user.trim().toLowerCase());
    if (known) return known.userId;
    const found = await this.#engine.storage.read((tx) => tx.users.byEmail(user));
    if (!found) throw new Unauthorized(`There is no account with the address ${user}.`);
    return found.id;
  }

  async apiKeyOf(reference: UserReference): Promise<string> {
    const userId = await this.resolveUser(reference);
    return this.#engine.storage.read(async (tx) => {
      const user = await tx.users.byId(userId);
      const organization = await tx.organization.get();
      if (!user || !organization) throw new Unauthorized(`There is no account with ID ${userId}.`);
      return deriveApiKey(organization.secret, user.id, user.key_generation);
    });
  }

  async authenticate(email: string, apiKey: string): Promise<{ userId: number; keyGeneration: number }> {
    const given = apiKey.trim();
    if (!/^[A-Za-z0-9]{32}$/.test(given))
      throw new Unauthorized('An API key is 32 letters and digits; this one is malformed.');
    const name = email.trim().toLowerCase();
    const known = this.#keys.get(name);
    if (known && sameKey(given, known.key)) return known;
    const entry = await this.#engine.storage.read(async (tx) => {
      const user = await tx.users.byEmail(name);
      const organization = await tx.organization.get();
      if (!user || !organization || user.is_system_bot) return undefined;
      return { user, key: deriveApiKey(organization.secret, user.id, user.key_generation) };
    });
    if (!entry || !sameKey(given, entry.key))
      throw new Unauthorized('The API key does not belong to this e-mail address.');
    if (!entry.user.is_active) throw new Unauthorized('This account has been deactivated.');
    const proof = { userId: entry.user.id, keyGeneration: entry.user.key_generation, key: entry.key };
    if (this.#keys.size >= KNOWN_KEYS) this.#keys.clear();
    this.#keys.set(name, proof);
    return proof;
  }

  emojiImage(fileName: string): Promise<EmojiImage | undefined> {
    return this.#engine.storage.read((tx) => tx.customEmoji.image(fileName));
  }

  start(): void {
    this.#engine.worker.start();
  }

  runDue(): Promise<number> {
    return this.#engine.worker.runDue();
  }

  givenUp(limit = 100): Promise<OutboxItem[]> {
    return this.#engine.storage.read((tx) => tx.outbox.givenUp(limit));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#engine.hub.releaseAll();
    await this.#engine.worker.stop();
    await this.#engine.options.mail?.close();
    await this.#engine.storage.close();
  }
}
