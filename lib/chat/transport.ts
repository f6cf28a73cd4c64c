import { createHmac } from 'node:crypto';
import { BadRequest, Unauthorized } from '../base/errors.ts';
import { type CatalogueOperation, operationNamed } from '../catalogue.ts';
import { endEarlierAccess, planAdoption } from '../domains/users/adoption.ts';
import { auditEntry } from '../engine/audit.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import type { User } from '../model/users.ts';
import type { Adopt } from '../rules/adoption.ts';
import { accountDeactivated, deriveApiKey, sameKey } from '../rules/credentials.ts';
import { emailKey } from '../rules/fold.ts';
import { isBot } from '../rules/roles.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { GENERATED_AVATARS, identicon, mediumAvatarUrl, UNKNOWN_AVATAR } from '../views/avatars.ts';
import { accessAccount, checkedLogin, findAccount, newCookie, plainReference, type UserReference } from './accounts.ts';
import { dryRun, why } from './dry-run.ts';
import { pollEvents, streamEvents } from './event-calls.ts';
import { metricsOf, readinessOf } from './health.ts';
import { acceptsMailFor } from './mail/receive-mail.ts';
import { openUpload } from './open-upload.ts';
import { ResumableUploads } from './resumable-uploads.ts';
import { WebhookKeys } from './webhook-keys.ts';

/** A caller that has authenticated with an API key. */
export type ProvenCaller = Required<Pick<Caller, 'address' | 'keyGeneration'>> & { userId: number };

/** Users sign in only a few times a year, because clients keep their API key. */
const NETWORK_TTL_MS = 180 * 24 * 3_600_000;
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

interface AvatarOwner {
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

export type ChatTransport = ReturnType<typeof transportOver>;

/**
 * Internal interface for servers and the command line. They may come from another copy of the package than the chat:
 * these functions run in the copy of the chat.
 */
export function transportOver(engine: Engine, { hasBaseUrl }: { hasBaseUrl: boolean }) {
  const { storage, clock, logger, options } = engine;
  const webhookKeys = new WebhookKeys(storage);

  function call<A>(name: CatalogueOperation['name'], caller: Caller, values: object): Promise<A> {
    return engine.call(operationNamed(name), caller, { ...values, client_gravatar: false }) as Promise<A>;
  }

  async function avatarOf(caller: Caller, named: string): Promise<string | undefined> {
    const user_id = /^[0-9]{1,15}$/.test(named) ? Number(named) : undefined;
    if (caller.userId === null) {
      const values = { user_ids: user_id === undefined ? [] : [user_id] };
      const { members } = await call<{ members: AvatarOwner[] }>('users.list', caller, values);
      return members[0]?.avatar_url;
    }
    try {
      const { user } = await (user_id === undefined
        ? call<{ user: AvatarOwner }>('users.getByEmail', caller, { email: named })
        : call<{ user: AvatarOwner }>('users.get', caller, { user_id }));
      return user.avatar_url;
    } catch (error) {
      if (error instanceof BadRequest) return undefined;
      throw error;
    }
  }

  return {
    engine,
    resumableUploads: new ResumableUploads(engine),
    dryRun: dryRun.bind(undefined, engine),
    /** Explains whether a user may do something, as far as the caller may know it. */
    why: why.bind(undefined, engine),
    pollEvents: pollEvents.bind(undefined, engine),
    streamEvents: streamEvents.bind(undefined, engine),
    openUpload: openUpload.bind(undefined, engine),
    readiness: readinessOf.bind(undefined, engine),
    metrics: () => metricsOf(engine),
    acceptsMailFor: acceptsMailFor.bind(undefined, engine),

    /** For `chatctl` on the database: the audit log shows local administration, not the account that it acts as. */
    actLocally(): void {
      engine.isLocal = true;
    },

    /** Sets the base URL to the address of the server, unless one was configured. */
    listensAt(url: string): void {
      if (!hasBaseUrl) options.baseUrl = url.replace(/\/+$/, '');
    },

    /** The image of a custom emoji, by file name. */
    emojiImage: (fileName: string) => storage.read((tx) => tx.customEmoji.image(fileName)),

    /** The PNG of an uploaded or generated avatar, by its path after `/user_avatars/`. */
    async avatarImage(path: string): Promise<Uint8Array | undefined> {
      const [, seed, medium] = GENERATED.exec(path) ?? [];
      if (seed !== undefined) return identicon(seed, medium ? MEDIUM_PX : SMALL_PX);
      return (await storage.read((tx) => tx.avatars.image(path)))?.bytes;
    },

    /** Avatar URL of an account, by ID or address. A placeholder if the caller cannot see the account. */
    async avatarUrl(caller: Caller, named: string, { isMedium }: { isMedium: boolean }): Promise<string> {
      const url = await avatarOf(caller, named);
      if (url === undefined) return new URL(options.baseUrl).pathname.replace(/\/+$/, '') + UNKNOWN_AVATAR;
      return isMedium ? mediumAvatarUrl(url) : url;
    },

    /**
     * State of an account for the rate limit of wrong passwords, which restarts when an administrator unlocks the
     * account. Also answers for accounts that do not exist.
     */
    signInState: (user: UserReference, network?: string) =>
      storage.read(async (tx) => {
        const account = await findAccount(tx, user);
        if (!account) return { timesUnlocked: 0, isKnownNetwork: false };
        const digest = network !== undefined && (await networkDigest(tx, account, network));
        const since = clock.now() - NETWORK_TTL_MS;
        const isKnownNetwork = digest !== false && (await tx.signInNetworks.isKnown(account.id, digest, since));
        return { timesUnlocked: account.sign_in_unlocks, isKnownNetwork };
      }),

    /** Records a successful password sign-in from this network address. */
    async rememberNetwork(address: string, network: string): Promise<void> {
      const work = async (tx: Transaction) => {
        const account = await findAccount(tx, address);
        if (!account) return;
        const digest = await networkDigest(tx, account, network);
        await tx.signInNetworks.remember(account.id, digest, { now: clock.now(), limit: MAX_NETWORKS });
      };
      // A sign-in must succeed even if the database is read-only.
      await storage.write(work, { shared: true, silent: true }).catch((error: unknown) => {
        logger.warn({ error }, 'the network address of a sign-in was not recorded');
      });
    },

    /** The account of a token or a cookie. */
    checkLogin: checkedLogin.bind(undefined, engine),
    newCookie: newCookie.bind(undefined, engine),

    /** The incoming-webhook bot of an API key in a URL. Throws `Unauthorized`. */
    webhookBot: webhookKeys.holderOf.bind(webhookKeys),

    /** Records an attempt with a wrong API key in the audit log. */
    noteWrongKey(attempt: { client: string; network: string | null; request: string | null }): void {
      const refusal = { status: 401, code: 'UNAUTHORIZED', ...attempt };
      engine.refusals.add({ entry: auditEntry(clock.now(), 'authenticate', refusal) });
    },

    /**
     * The ID of an account; throws `Unauthorized` if there is none. An account that is named by its address must be
     * adoptable; throws `AdoptionRefused`.
     */
    async resolveUser(user: UserReference, adopt: Adopt = 'verified'): Promise<number> {
      const reference = plainReference(user);
      if (typeof reference === 'number') return reference;
      const account = await storage.read((tx) => accessAccount(tx, reference));
      // Members choose the addresses of their bots. The host knows its people by theirs.
      if (typeof reference === 'string' && isBot(account)) throw new Unauthorized('This address belongs to a bot.');
      if (typeof reference === 'string' && planAdoption(account, adopt) === 'reset') {
        await engine.asSystem('write', async (context) => {
          const now = await accessAccount(context.tx, account.id);
          if (planAdoption(now, adopt) === 'reset') await endEarlierAccess(context, now);
        });
      }
      return account.id;
    },

    /**
     * The account of these Basic credentials; throws `Unauthorized`. The result can be cached. Pass all of it with
     * every call, since the account may change its address, and the key may become invalid.
     */
    async authenticate(email: string, apiKey: string): Promise<ProvenCaller> {
      const given = apiKey.trim();
      if (!/^[A-Za-z0-9]{32}$/.test(given))
        throw new Unauthorized('This API key is malformed: a key has exactly 32 letters and digits.');
      const address = emailKey(email);
      const entry = await storage.read(async (tx) => {
        const user = await tx.users.byEmail(address);
        const organization = await tx.organization.get();
        if (!user || !organization || user.is_system_bot) return undefined;
        return { user, key: deriveApiKey(organization.secret, user.id, user.key_generation) };
      });
      if (!entry || !sameKey(given, entry.key))
        throw new Unauthorized('The API key does not belong to this e-mail address.');
      if (!entry.user.is_active) throw accountDeactivated();
      return { userId: entry.user.id, address, keyGeneration: entry.user.key_generation };
    },
  };
}
