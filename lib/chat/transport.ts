import { createHmac } from 'node:crypto';
import { deriveApiKey, sameKey } from '../access/api-keys.ts';
import { GENERATED_AVATARS, mediumAvatarUrl, UNKNOWN_AVATAR } from '../access/avatars.ts';
import type { Explanation } from '../access/explanation.ts';
import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../adapters/logger.ts';
import { BadRequest, Unauthorized } from '../base/errors.ts';
import { type CatalogueOperation, operationNamed } from '../catalogue.ts';
import type { CallArguments, Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import type { DecodeParameter } from '../engine/parameters.ts';
import type { User } from '../model/users.ts';
import type { Operation } from '../operation/operation.ts';
import { fold } from '../rules/fold.ts';
import type { EmojiImage } from '../storage/interface/emoji.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { accessAccount, findAccount, idOrAddress, type UserReference } from './accounts.ts';
import type { DryRun } from './consequences.ts';
import { dryRun, why } from './dry-run.ts';
import { identicon } from './identicon.ts';
import { type MetricValue, metricsOf, type Readiness, readinessOf } from './metrics.ts';
import { type OpenUpload, openUpload, type UploadAccess } from './open-upload.ts';
import { ResumableUploads } from './resumable-uploads.ts';

/** A caller that has authenticated with an API key. */
export type ProvenCaller = Required<Pick<Caller, 'address' | 'keyGeneration'>> & { userId: number };

/** An attempt with a wrong API key: client program, network address and request ID. */
export interface WrongKey {
  client: string;
  network: string | undefined;
  request: string | undefined;
}

/** State of an account for the rate limit of wrong passwords. */
export interface SignInState {
  /** Number of unlocks by administrators. When it changes, the count of wrong passwords restarts. */
  timesUnlocked: number;
  /** Whether there was a successful sign-in from this network address in the last 180 days. */
  isKnownNetwork: boolean;
}

/** Users sign in only a few times a year, because clients keep their API key. */
const KNOWN_FOR_MS = 180 * 24 * 3_600_000;
/** Per account: home, work, mobile, and room for changing addresses. */
const MAX_NETWORKS = 20;

/**
 * Network addresses of successful password sign-ins are stored in the database. Sign-ins are rare, so a cache in
 * memory would be lost before the next one, which may also reach another process. The table holds an HMAC per account
 * and address, so that it does not reveal who was where.
 */
async function networkDigest(tx: Transaction, { id }: User, network: string): Promise<string> {
  const organization = await tx.organization.get();
  return createHmac('sha256', organization?.secret ?? '')
    .update(`network:${id}:${network}`)
    .digest('base64url');
}

interface Pictured {
  avatar_url: string;
}

const GENERATED = new RegExp(`^${GENERATED_AVATARS}/([0-9a-f]{32})(-medium)?\\.png$`);
const SMALL_PX = 100;
const MEDIUM_PX = 500;

/** `Symbol.for`, so that the ESM and the CommonJS build share it. */
export const TRANSPORT: unique symbol = Symbol.for('parlance.transport');

export function transportOf(chat: { readonly [TRANSPORT]: unknown }): ChatTransport {
  return chat[TRANSPORT] as ChatTransport;
}

/** Internal interface for servers and the command line. */
export class ChatTransport {
  readonly #engine: Engine;
  readonly #hasBaseUrl: boolean;
  readonly resumableUploads: ResumableUploads;

  constructor(engine: Engine, { hasBaseUrl }: { hasBaseUrl: boolean }) {
    this.#engine = engine;
    this.resumableUploads = new ResumableUploads(engine);
    this.#hasBaseUrl = hasBaseUrl;
  }

  /** Public address of this organization, without a trailing slash. */
  get baseUrl(): string {
    return this.#engine.options.baseUrl;
  }
  get development(): boolean {
    return this.#engine.options.development;
  }
  /** Whether a `mail` is configured. */
  get sendsEmail(): boolean {
    return this.#engine.options.mail !== undefined;
  }
  get logger(): Logger {
    return this.#engine.logger;
  }
  get clock(): Clock {
    return this.#engine.clock;
  }
  /** Number of waiting long polls. */
  get waitingPolls(): number {
    return this.#engine.hub.waiting;
  }

  /** Whether the database and the worker are usable. `patience` is the timeout of the database in milliseconds. */
  readiness(patience: number): Promise<Readiness> {
    return readinessOf(this.#engine, patience);
  }

  /** Metrics; costs a few index lookups. */
  metrics(): Promise<MetricValue[]> {
    return metricsOf(this.#engine);
  }

  /** Sets the base URL to the address of the server, unless one was configured. */
  listensAt(url: string): void {
    if (!this.#hasBaseUrl) this.#engine.options.baseUrl = url.replace(/\/+$/, '');
  }

  /** Runs an operation. Large fields of the result may be `RawJson`. */
  call(...call: CallArguments): Promise<object> {
    return this.#engine.call(...call);
  }

  /** Runs an operation and rolls it back. */
  dryRun(...call: CallArguments): Promise<DryRun> {
    return dryRun(this.#engine, ...call);
  }

  /** Explains whether a user may do something, as far as the caller may know it. */
  why(
    operation: Operation,
    caller: Caller,
    user: number | string,
    values?: Readonly<Record<string, unknown>>,
    decode?: DecodeParameter,
  ): Promise<Explanation> {
    return why(this.#engine, operation, caller, user, values, decode);
  }

  /** The image of a custom emoji, by file name. */
  emojiImage(fileName: string): Promise<EmojiImage | undefined> {
    return this.#engine.storage.read((tx) => tx.customEmoji.image(fileName));
  }

  /** The PNG of an uploaded or generated avatar, by its path after `/user_avatars/`. */
  async avatarImage(path: string): Promise<Uint8Array | undefined> {
    const [, seed, medium] = GENERATED.exec(path) ?? [];
    if (seed !== undefined) return identicon(seed, medium ? MEDIUM_PX : SMALL_PX);
    return (await this.#engine.storage.read((tx) => tx.avatars.image(path)))?.bytes;
  }

  /** An uploaded file, by its path after `/user_uploads/`. */
  openUpload(caller: Caller, pathId: string, asked?: UploadAccess): Promise<OpenUpload> {
    return openUpload(this.#engine, caller, pathId, asked);
  }

  /** Avatar URL of an account, by ID or address. A placeholder if the caller cannot see the account. */
  async avatarUrl(caller: Caller, named: string, medium: boolean): Promise<string> {
    const url = await this.#avatarOf(caller, named);
    if (url === undefined) return new URL(this.baseUrl).pathname.replace(/\/+$/, '') + UNKNOWN_AVATAR;
    return medium ? mediumAvatarUrl(url) : url;
  }

  async #avatarOf(caller: Caller, named: string): Promise<string | undefined> {
    const isId = /^[0-9]{1,15}$/.test(named);
    if (caller.userId === null) {
      const values = { user_ids: isId ? [Number(named)] : [], client_gravatar: false };
      const { members } = await this.#call<{ members: Pictured[] }>('users.list', caller, values);
      return members[0]?.avatar_url;
    }
    try {
      const [operation, name] = isId
        ? (['users.get', { user_id: Number(named) }] as const)
        : (['users.getByEmail', { email: named }] as const);
      const { user } = await this.#call<{ user: Pictured }>(operation, caller, { ...name, client_gravatar: false });
      return user.avatar_url;
    } catch (error) {
      if (error instanceof BadRequest) return undefined;
      throw error;
    }
  }

  #call<A>(name: CatalogueOperation['name'], caller: Caller, values: Readonly<Record<string, unknown>>): Promise<A> {
    return this.#engine.call(operationNamed(name), caller, values) as Promise<A>;
  }

  /** State for the rate limit of wrong passwords. Also answers for accounts that do not exist. */
  signInState(user: UserReference, network?: string): Promise<SignInState> {
    return this.#engine.storage.read(async (tx) => {
      const account = await findAccount(tx, user);
      if (!account) return { timesUnlocked: 0, isKnownNetwork: false };
      return {
        timesUnlocked: account.sign_in_unlocks,
        isKnownNetwork:
          network !== undefined &&
          (await tx.signInNetworks.isKnown(
            account.id,
            await networkDigest(tx, account, network),
            this.clock.now() - KNOWN_FOR_MS,
          )),
      };
    });
  }

  /** Records a successful password sign-in from this network address. */
  async rememberNetwork(address: string, network: string): Promise<void> {
    const work = async (tx: Transaction) => {
      const account = await findAccount(tx, address);
      if (!account) return;
      const digest = await networkDigest(tx, account, network);
      await tx.signInNetworks.remember(account.id, digest, this.clock.now(), MAX_NETWORKS);
    };
    // A sign-in must succeed even if the database is read-only.
    await this.#engine.storage.write(work, { shared: true, silent: true }).catch((error: unknown) => {
      this.logger.warn({ error }, 'the network address of a sign-in was not recorded');
    });
  }

  /** Records a wrong API key in the audit log. */
  noteWrongKey({ client, network, request }: WrongKey): void {
    const at_ms = this.clock.now();
    const about = { client, network: network ?? null, request: request ?? null };
    const refusal = { action: 'authenticate', user_id: null, status: 401, code: 'UNAUTHORIZED', details: {}, times: 1 };
    this.#engine.refusals.add({ entry: { at_ms, ...refusal, ...about } });
  }

  /** The ID of an account; throws `Unauthorized` if there is none. */
  async resolveUser(user: UserReference): Promise<number> {
    const account = idOrAddress(user);
    if (typeof account === 'number') return account;
    return (await this.#engine.storage.read((tx) => accessAccount(tx, account))).id;
  }

  /**
   * The account of these Basic credentials; throws `Unauthorized`. The result can be cached. Pass all of it with every
   * call, since the account may change its address, and the key may become invalid.
   */
  async authenticate(email: string, apiKey: string): Promise<ProvenCaller> {
    const given = apiKey.trim();
    if (!/^[A-Za-z0-9]{32}$/.test(given))
      throw new Unauthorized('This API key is malformed: a key has exactly 32 letters and digits.');
    const address = fold(email);
    const entry = await this.#engine.storage.read(async (tx) => {
      const user = await tx.users.byEmail(address);
      const organization = await tx.organization.get();
      if (!user || !organization || user.is_system_bot) return undefined;
      return { user, key: deriveApiKey(organization.secret, user.id, user.key_generation) };
    });
    if (!entry || !sameKey(given, entry.key))
      throw new Unauthorized('The API key does not belong to this e-mail address.');
    if (!entry.user.is_active)
      throw new Unauthorized('This account has been deactivated. Ask an administrator to reactivate it.');
    return { userId: entry.user.id, address, keyGeneration: entry.user.key_generation };
  }
}
