import type { Channel } from '../model/channels.ts';
import type { User } from '../model/users.ts';
import { hasSharedHistory } from '../rules/channels.ts';
import type { Subscription } from '../storage/interface/channels.ts';
import type { Conversation } from '../storage/interface/conversations.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { roleSeesEmail } from '../views/user-view.ts';
import type { ReadContext, Services, TransactionContext } from './context.ts';
import { ChannelCache, Muters } from './versioned-caches.ts';
import { MISSING_ID, Viewer, viewerOf } from './viewer.ts';

type Read = (...values: unknown[]) => Promise<unknown>;

/** Methods of stores. */
type ReadableStores = { [S in keyof Transaction]?: Partial<Transaction[S]> };

class NoMuters extends Muters {
  override of = async () => [];
}

/** Ends an operation that would read or write something that the asker cannot see. */
class ViewEnded extends Error {}

/**
 * What an administrator who asks about another user sees of the database. An operation that runs on it ends before it
 * reads anything that the asker cannot see, so its outcome cannot depend on it.
 *
 * A method that is not in the list ends the view. Administrators see all users,
 * groups, channels and subscribers, and the organization. For messages, they have no special access.
 */
export class AskerView {
  /** Why the operation has ended. Undefined if it has run to its end, or has been refused by what the asker sees. */
  ended: 'change' | 'hidden' | undefined;

  readonly #ending: Promise<never>;
  #reject: (error: ViewEnded) => void = () => undefined;

  constructor(private readonly asker: User) {
    this.#ending = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.#ending.catch(() => undefined);
  }

  /** Runs a step of an operation on what the asker sees. Rejects when the view has ended. */
  run<T>(context: TransactionContext, work: (context: TransactionContext) => Promise<T>): Promise<T> {
    const step = async () => work(this.#contextOf(context));
    return Promise.race([step(), this.#ending]);
  }

  #contextOf(context: TransactionContext): TransactionContext {
    const { actor, organization, services } = context;
    const refused = () => this.#end('hidden');
    const changed = () => this.#end('change');
    const seen = {
      ...context,
      actor: actor && this.#userView(actor),
      organization: Object.defineProperty({ ...organization }, 'secret', { get: () => this.#end('hidden') }),
      services: this.servicesOf(services),
      tx: this.#transactionOf(context),
      account: async (id: number) => this.#found(await context.account(id)),
      accounts: refused,
      emit: changed,
      enqueue: changed,
      afterCommit: () => undefined,
    };
    return { ...seen, viewer: seen.actor && new Viewer(seen, seen.actor) };
  }

  /** Caches and other transactions hold data of all users. */
  servicesOf(services: Services): Services {
    return new Proxy(services, {
      get: (target, name) => {
        if (name === 'channelCache') return new ChannelCache();
        // The outcome must not depend on mutes and blocks.
        if (name === 'muters') return new NoMuters();
        return OPEN_SERVICES.has(name) ? Reflect.get(target, name) : this.#end('hidden');
      },
    });
  }

  #end(reason: 'change' | 'hidden'): never {
    this.ended ??= reason;
    this.#reject(new ViewEnded());
    throw new ViewEnded();
  }

  #transactionOf(context: ReadContext): Transaction {
    const readable = this.#readable(context);
    return new Proxy(context.tx, {
      get: (tx, name) =>
        new Proxy(tx[name as keyof Transaction], {
          get: (_, method) => {
            const store = (readable as Record<PropertyKey, Record<PropertyKey, Read> | undefined>)[name];
            const isChange = store !== undefined && CHANGES.test(String(method));
            return this.#untilEnded(store?.[method] ?? (async () => this.#end(isChange ? 'change' : 'hidden')));
          },
        }),
    });
  }

  /**
   * Never settles after the end: the operation may still be waiting for other reads, and nothing handles their errors.
   */
  #untilEnded(read: Read): Read {
    const never = new Promise<never>(() => undefined);
    return (...values) =>
      this.ended
        ? never
        : read(...values).then(
            (found) => (this.ended ? never : found),
            (error: unknown) => (this.ended ? never : Promise.reject(error)),
          );
  }

  /** The methods that can be called, by store. */
  #readable(context: ReadContext): ReadableStores {
    return { ...openStores(context.tx), ...this.#accountStores(context.tx), ...this.#messageStores(context) };
  }

  /** Channels, subscriptions and users, without the properties that only their owners see. */
  #accountStores({ channels, subscriptions, users }: Transaction): ReadableStores {
    const user = (found: User | undefined) => this.#found(found);
    const people = (found: readonly User[]) => found.map((one) => this.#userView(one));
    const active = (found: readonly Subscription[]) => found.filter((one) => one.active).map(withoutProperties);
    return {
      channels: {
        ...pick(channels, ['byId', 'byIds', 'byNames', 'active', 'all', 'naming', 'defaults', 'hasAnyInFolder']),
        ...pick(channels, ['withSettings', 'folders', 'weight']),
        withSubscription: async (id, userId) => {
          const found = await channels.withSubscription(id, userId);
          return (
            found && { channel: found.channel, subscription: active(found.subscription ? [found.subscription] : [])[0] }
          );
        },
      },
      subscriptions: {
        ...pick(subscriptions, ['byChannel', 'subscriberIds', 'subscribersUpTo']),
        ofUser: async (id) => active(await subscriptions.ofUser(id)),
        get: async (userId, channelId) => active(await subscriptions.pairs([userId], [channelId]))[0],
        pairs: async (...pairs) => active(await subscriptions.pairs(...pairs)),
      },
      users: {
        ...pick(users, ['activeIds', 'inactiveIds', 'countActive']),
        byId: async (id) => user(await users.byId(id)),
        // Decides whether an address is free. An address that the asker does not see counts as free.
        byEmail: async (email) => {
          const found = await users.byEmail(email);
          return found && this.#seesEmail(found) ? user(found) : undefined;
        },
        byIds: async (ids) => people(await users.byIds(ids)),
        byNames: async (names) => people(await users.byNames(names)),
        withNamesLike: async (names) => people(await users.withNamesLike(names)),
        bots: async (limit) => people(await users.bots(limit)),
        botsOwnedBy: async (ownerId) => people(await users.botsOwnedBy(ownerId)),
      },
    };
  }

  /** Messages that the asker can read. Another one ends the view. */
  #messageStores(context: ReadContext): ReadableStores {
    const { messages, conversations, reactions, submessages } = context.tx;
    const readableIds = async (ids: readonly number[]) => {
      const known = ids.filter((id) => id !== MISSING_ID);
      await this.#checkMessages(context, known, await messages.byIds(known));
      return known;
    };
    return {
      messages: {
        byId: async (id) => {
          const message = await messages.byId(id);
          await this.#checkMessages(context, [id], message ? [message] : []);
          return message;
        },
        byIds: async (ids) => {
          const found = await messages.byIds(ids);
          await this.#checkMessages(context, ids, found);
          return found;
        },
        received: (userId, ids) => this.#received(context, userId, ids),
        // This and the next three decide only who gets events.
        formerReceivers: async () => [],
      },
      flags: { holders: async () => [], outsiders: async () => [] },
      readState: { unreadInChannels: async () => [], markedInChannels: async () => [] },
      queues: {},
      conversations: {
        topic: async (channelId, topic) => {
          await this.#checkChannel(context, channelId);
          return conversations.topic(channelId, topic);
        },
        direct: async (ids) => (ids.includes(this.asker.id) ? conversations.direct(ids) : this.#end('hidden')),
        byIds: async (ids) => {
          const found = await conversations.byIds(ids);
          for (const conversation of found) await this.#checkConversation(context, conversation);
          return found.length === ids.length ? found : this.#end('hidden');
        },
      },
      reactions: { of: async (ids) => reactions.of(await readableIds(ids)) },
      submessages: { of: async (ids) => submessages.of(await readableIds(ids)) },
    };
  }

  async #checkMessages(context: ReadContext, ids: readonly number[], found: readonly PlacedMessage[]): Promise<void> {
    const readable = await viewerOf(context, this.asker).readableMessages(found);
    if (readable.length < new Set(ids).size) this.#end('hidden');
  }

  /** If the history of a channel is protected, its readers do not see who has received a message. */
  async #received(context: ReadContext, userId: number, ids: readonly number[]): Promise<number[]> {
    const { tx } = context;
    const known = ids.filter((id) => id !== MISSING_ID);
    const found = await tx.messages.byIds(known);
    await this.#checkMessages(context, known, found);
    const user = await tx.users.byId(userId);
    const channels = await tx.channels.byIds(found.flatMap(({ channel_id }) => channel_id ?? []));
    const guarded = channels.filter((channel) => !hasSharedHistory(channel));
    const ofUser = user ? (await viewerOf(context, user).knownChannels(guarded)).known : [];
    if (ofUser.some(({ readable }) => readable)) this.#end('hidden');
    const open = found.filter(({ channel_id }) => !guarded.some(({ id }) => id === channel_id));
    return tx.messages.received(
      userId,
      open.map(({ id }) => id),
    );
  }

  /** A channel in which the asker can read all messages, and so sees all topics. */
  async #checkChannel(context: ReadContext, id: number): Promise<void> {
    const channel: Channel | undefined = await context.tx.channels.byId(id);
    const { known } = await viewerOf(context, this.asker).knownChannels(channel ? [channel] : []);
    if (!known[0]?.readable || !hasSharedHistory(known[0].channel)) this.#end('hidden');
  }

  async #checkConversation(context: ReadContext, { channel_id, participants }: Conversation): Promise<void> {
    if (channel_id !== null) await this.#checkChannel(context, channel_id);
    else if (!participants.includes(this.asker.id)) this.#end('hidden');
  }

  #found(user: User | undefined): User | undefined {
    return user && this.#userView(user);
  }

  #seesEmail({ bot_type, email_visibility }: User): boolean {
    return bot_type !== null || roleSeesEmail(email_visibility, this.asker.role);
  }

  /** Credentials and settings decide about some operations. Other hidden fields have a neutral value. */
  #userView(user: User): User {
    const shown = { ...user, ...NEUTRAL, ...(this.#seesEmail(user) ? {} : { delivery_email: '' }) };
    return new Proxy(shown, {
      get: (target, name) =>
        name === 'settings' || name === 'password_hash' ? this.#end('hidden') : Reflect.get(target, name),
    });
  }
}

/** What administrators see as it is: the organization and its groups. */
const openStores = (tx: Transaction): ReadableStores => ({
  organization: pick(tx.organization, ['get', 'versions']),
  linkifiers: pick(tx.linkifiers, ['all']),
  playgrounds: pick(tx.playgrounds, ['all']),
  profileFields: pick(tx.profileFields, ['all']),
  customEmoji: pick(tx.customEmoji, ['all', 'byId', 'byName', 'count']),
  groups: {
    ...pick(tx.groups, ['all', 'byIds', 'heads', 'headsByNames', 'headsWithSettings', 'headsNaming', 'count']),
    ...pick(tx.groups, ['directMemberships', 'nestings', 'containing', 'inside', 'around', 'holders']),
  },
});

const NEUTRAL = {
  email_visibility: 4,
  key_generation: 0,
  login_generation: 0,
  ended_logins: null,
  sign_in_unlocks: 0,
  bot_service: null,
  version: 0,
} as const satisfies Partial<User>;

/** A subscription as others see it. */
function withoutProperties({ user_id, channel_id, active }: Subscription): Subscription {
  const notifications = { desktop_notifications: null, audible_notifications: null, push_notifications: null };
  return {
    ...{ user_id, channel_id, active, ...notifications, email_notifications: null, wildcard_mentions_notify: null },
    ...{ color: '', is_muted: false, pin_to_top: false, floor: 0 },
  };
}

const OPEN_SERVICES = new Set<PropertyKey>(['options', 'clock', 'logger', 'wire', 'initialState', 'consequences']);

/** Names of methods that change something. */
const CHANGES =
  /^(add|append|clear|create|deactivate|edit|end|ensure|hold|join|mark|move|note|record|register|remove|rename|reorder|replace|revoke|set|update)/;

function pick<S extends object, M extends keyof S>(store: S, methods: readonly M[]): Pick<S, M> {
  return Object.fromEntries(
    methods.map((method) => [method, (store[method] as (...values: unknown[]) => unknown).bind(store)]),
  ) as Pick<S, M>;
}
