import { BadRequest } from '../base/errors.ts';
import type { Channel, ChannelRules } from '../model/channels.ts';
import type { GroupSettingValue } from '../model/groups.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { hasContentAccess, hasMetadataAccess, seesWholeHistory } from '../rules/channels.ts';
import { emailKey } from '../rules/fold.ts';
import { organizationPermission } from '../rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../rules/permission-settings.ts';
import { decidedByRole, hasPermission, type Membership, roleGroupIds, roleMembership } from '../rules/permissions.ts';
import { isAdministrator, isGuest, isInRooms, isSystem, roomsOf, systemGroupId, traceOf } from '../rules/roles.ts';
import type { Subscription } from '../storage/interface/channels.ts';
import type { PlacedMessage } from '../storage/interface/messages.ts';
import type { Transaction } from '../storage/interface/storage.ts';
import { placeholderEmail, roleSeesEmail } from '../views/user-view.ts';

/** The transaction in which a user looks. */
export interface LookupContext {
  readonly tx: Transaction;
  readonly organization: Organization;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface KnownChannel<C extends ChannelRules = Channel> {
  channel: C;
  /** The user's subscription, active or not. */
  subscription: Subscription | undefined;
  isSubscribed: boolean;
  readable: boolean;
}

/** For at most this many channels, only these subscriptions are read: a user can have thousands. */
const MAX_SINGLE_LOOKUPS = 200;

/** No record has it. Looking it up takes as long as looking up a hidden record, so the time reveals nothing. */
export const MISSING_ID = 0;

/** The IDs, or one that does not exist: an empty list sends no statement. */
export const orMissing = (ids: readonly number[]): readonly number[] => (ids.length > 0 ? ids : [MISSING_ID]);

/**
 * What a user can see and do, in one transaction. A hidden record gets the same error as a missing one, after the same
 * statements. Groups and visible users are loaded once.
 */
export class Viewer {
  readonly user: User;
  readonly #context: LookupContext;
  readonly #account: (id: number) => Promise<User | undefined>;
  #membership: Promise<Membership> | undefined;
  #visible: Promise<ReadonlySet<number> | undefined> | undefined;

  /** @param account reads an account by ID, perhaps from a cache */
  constructor(
    context: LookupContext,
    user: User,
    account: (id: number) => Promise<User | undefined> = (id) => context.tx.users.byId(id),
  ) {
    this.user = user;
    this.#context = context;
    this.#account = account;
  }

  /** The groups that contain the user. */
  membership(): Promise<Membership> {
    this.#membership ??= this.#loadMembership();
    return this.#membership;
  }

  async #loadMembership(): Promise<Membership> {
    const { tx, organization, now } = this.#context;
    const { user } = this;
    return { user, groups: new Set(await tx.groups.containing(user.id, roleGroupIds(user, organization, now))) };
  }

  /** For checking these permission values. Needs no query if roles decide all of them. */
  async membershipFor(values: readonly GroupSettingValue[]): Promise<Membership> {
    const { organization, now } = this.#context;
    return values.every(decidedByRole) ? roleMembership(this.user, organization, now) : this.membership();
  }

  /** Whether the user has a permission of the organization. */
  async may(key: OrganizationPermission): Promise<boolean> {
    const value = organizationPermission(this.#context.organization, key);
    const guests = ORGANIZATION_PERMISSIONS[key].everyone;
    return hasPermission(value, await this.membershipFor([value]), { guests, setting: key });
  }

  /** @param action for the error message. @throws BadRequest unless the user has the permission */
  async check(key: OrganizationPermission, action: string): Promise<void> {
    if (!(await this.may(key))) throw new BadRequest(`You are not allowed to ${action}.`);
  }

  /**
   * The message with this ID. @throws BadRequest if it is missing, or the user cannot read it.
   * @param use `modify`: not in an archived channel
   */
  async message(id: number, use: 'read' | 'modify' = 'read'): Promise<PlacedMessage> {
    const message = await this.#context.tx.messages.byId(id);
    if (!message) traceOf(this.user)?.({ rule: 'message', isYes: false, detail: `There is no message with ID ${id}.` });
    const [readable] = await this.readableMessages(message ? [message] : [], use);
    if (!readable) throw noSuchMessage(id);
    return readable;
  }

  /**
   * The messages that the user can read: direct messages of their conversations, and messages of channels they can read.
   * If the history of the channel is protected, only messages that they received. Sends the same statements for all
   * messages, and for none.
   */
  async readableMessages<M extends Pick<PlacedMessage, 'id' | 'channel_id'>>(
    messages: readonly M[],
    use: 'read' | 'modify' = 'read',
  ): Promise<M[]> {
    const { user } = this;
    const { tx } = this.#context;
    const ids = messages.map((message) => message.id);
    const inChannels = [...new Set(messages.map((message) => message.channel_id).filter((id) => id !== null))];
    const channelIds = orMissing(inChannels);
    const [receivedIds, found, own, membership] = await Promise.all([
      tx.messages.received(user.id, orMissing(ids)),
      tx.channels.byIds(channelIds),
      tx.subscriptions.pairs([user.id], channelIds),
      this.membership(),
    ]);
    const received = new Set(receivedIds);
    const trace = traceOf(user);
    const allow = (id: number, reason: string) => {
      trace?.({ rule: 'message', isYes: true, detail: `Message ${id}: ${reason}` });
      return true;
    };
    const refuse = (id: number, reason: string) => {
      trace?.({ rule: 'message', isYes: false, detail: `Message ${id}: ${reason}` });
      return false;
    };
    const channels = new Map(found.map((channel) => [channel.id, channel]));
    const subscribed = new Set(own.filter((subscription) => subscription.active).map(({ channel_id }) => channel_id));
    return messages.filter(({ id, channel_id }) => {
      if (channel_id === null) {
        if (isSystem(user)) return true;
        if (roomsOf(user)) return refuse(id, 'their token is limited to rooms.');
        return received.has(id)
          ? allow(id, 'they are in its direct conversation.')
          : refuse(id, 'they are not in its direct conversation.');
      }
      const channel = channels.get(channel_id);
      if (!channel || (use === 'modify' && channel.is_archived)) {
        return refuse(id, 'its channel has been archived, so nothing in it can be changed.');
      }
      if (!hasContentAccess(channel, membership, { isSubscribed: subscribed.has(channel.id) })) {
        return refuse(id, 'they cannot read its channel.');
      }
      if (seesWholeHistory(user, channel)) return allow(id, 'they can read its channel.');
      return received.has(id)
        ? allow(id, 'they have received it.')
        : refuse(id, 'the history of its channel is protected, and they have not received it.');
    });
  }

  /** Those of the channels that the user can see, with the user's subscriptions. */
  async knownChannels<C extends ChannelRules>(channels: readonly C[]) {
    const { user } = this;
    const { subscriptions: stored } = this.#context.tx;
    const ids = channels.map((channel) => channel.id);
    const [membership, subscriptions] = await Promise.all([
      this.membership(),
      ids.length <= MAX_SINGLE_LOOKUPS
        ? stored.pairs([user.id], orMissing(ids))
        : stored.ofUser(user.id, { inactive: true }),
    ]);
    const own = subscriptions.filter(({ channel_id }) => isInRooms(user, channel_id));
    const byChannel = new Map(own.map((subscription) => [subscription.channel_id, subscription]));
    const known: KnownChannel<C>[] = [];
    for (const channel of channels) {
      const subscription = byChannel.get(channel.id);
      const isSubscribed = subscription?.active ?? false;
      const readable = hasContentAccess(channel, membership, { isSubscribed });
      if (readable || hasMetadataAccess(channel, membership, { isSubscribed }))
        known.push({ channel, subscription, isSubscribed, readable });
    }
    return { known, membership, subscriptions: byChannel };
  }

  /** The channel with this ID, name or `external:` ID. @throws BadRequest if it is missing or hidden */
  async channel(
    address: number | string,
    options: { archived?: boolean; readable?: boolean } = {},
  ): Promise<KnownChannel & { membership: Membership }> {
    const channel = await findChannel(this.#context, address);
    const missing = `There is no channel ${typeof address === 'number' ? `with ID ${address}` : `named "${address}"`}`;
    const refusal = () => new BadRequest(`${missing} that you can access.`);
    const isPast = channel?.is_archived === true && !options.archived;
    if (!channel || isPast) {
      const detail = channel ? `The channel "${channel.name}" has been archived.` : `${missing}.`;
      traceOf(this.user)?.({ rule: 'channel', isYes: false, detail });
    }
    const { known, membership } = await this.knownChannels(channel ? [channel] : []);
    const found = known[0];
    if (!channel || !found || (options.readable && !found.readable)) throw refusal();
    if (isPast) throw new BadRequest(`The channel "${channel.name}" is archived.`);
    return { ...found, membership };
  }

  /**
   * IDs of the accounts that the user can see; undefined means all. Only guests can be restricted. They then see bots
   * and the users who share a channel or direct conversation with them. With a token that is limited to rooms, they see
   * only the users in these rooms.
   */
  visibleUserIds(): Promise<ReadonlySet<number> | undefined> {
    this.#visible ??= this.#loadVisible();
    return this.#visible;
  }

  async #loadVisible(): Promise<ReadonlySet<number> | undefined> {
    const { tx, organization } = this.#context;
    const rooms = roomsOf(this.user);
    if (rooms) return rooms.users;
    if (!isRestricted(this.user, organization)) return undefined;
    return new Set([this.user.id, ...(await tx.guestVisibility.visibleTo(this.user.id))]);
  }

  /** The account with this ID. @throws BadRequest if it is missing or hidden */
  async account(id: number): Promise<User> {
    const user = await this.#account(id);
    const visible = await this.visibleUserIds();
    if (!user || (visible && !visible.has(id))) throw this.#hiddenUser(id, user);
    return user;
  }

  /** The account with this API address. @throws BadRequest if it is missing or hidden */
  async accountByAddress(address: string): Promise<User> {
    const [user] = await this.accounts([address], { systemBots: true });
    if (!user) throw noUser(address);
    return user;
  }

  /**
   * The accounts with these IDs or API addresses, without duplicates; active or not.
   * @throws BadRequest for the first unknown ID or address; with the same message for hidden accounts and, by default,
   * system bots
   */
  async accounts(names: readonly (number | string)[], options: { systemBots?: boolean } = {}): Promise<User[]> {
    const { tx } = this.#context;
    const ids = names.filter((name) => typeof name === 'number');
    const addresses = names.filter((name) => typeof name === 'string');
    const byId = new Map((ids.length > 0 ? await tx.users.byIds(ids) : []).map((user) => [user.id, user]));
    const byAddress = addresses.length > 0 ? await this.usersByAddress(addresses) : new Map<string, User>();
    const visible = names.length > 0 ? await this.visibleUserIds() : undefined;
    const users = new Map<number, User>();
    for (const name of names) {
      const user = typeof name === 'number' ? byId.get(name) : byAddress.get(name);
      const isHidden = user && ((user.is_system_bot && !options.systemBots) || (visible && !visible.has(user.id)));
      if (!user || isHidden) throw this.#hiddenUser(name, user);
      users.set(user.id, user);
    }
    return [...users.values()];
  }

  /** Like `accounts`. Refuses deactivated accounts, too. */
  async activeAccounts(names: readonly (number | string)[]): Promise<User[]> {
    const users = await this.accounts(names);
    const inactive = users.find((user) => !user.is_active);
    if (inactive) throw new BadRequest(`The user with ID ${inactive.id} has been deactivated.`);
    return users;
  }

  /** The account with this ID, if the user can administer it: as an administrator or as owner of the bot. */
  async administeredAccount(id: number): Promise<User> {
    const user = await this.#context.tx.users.byId(id);
    const isOwn = user?.bot_owner_id === this.user.id;
    const visible = isOwn ? undefined : await this.visibleUserIds();
    if (!user || user.is_system_bot) throw noUser(id);
    if (isAdministrator(this.user)) return user;
    if (visible && !visible.has(id)) throw this.#hiddenUser(id, user);
    const detail = isOwn ? 'They own the bot.' : 'They do not own this account as a bot.';
    traceOf(this.user)?.({ rule: 'user', isYes: isOwn, detail });
    if (!isOwn) throw new BadRequest('You are not allowed to administer this user.');
    return user;
  }

  /**
   * Accounts by real address, if the user may see it, or by placeholder address. Takes two queries. The keys are the
   * given addresses; unknown addresses are skipped. Includes hidden accounts.
   */
  async usersByAddress(addresses: readonly string[]): Promise<Map<string, User>> {
    const { tx, organization } = this.#context;
    const keys = new Map(addresses.map((address) => [address, emailKey(address)]));
    const found = new Map<string, User>();
    for (const user of await tx.users.byEmails([...new Set(keys.values())])) {
      const isShown =
        user.id === this.user.id || user.bot_type !== null || roleSeesEmail(user.email_visibility, this.user.role);
      if (isShown) found.set(emailKey(user.delivery_email), user);
    }
    const ids = [...keys.values()].map((key) => /^user(\d{1,15})@/.exec(key)?.[1]).filter((id) => id !== undefined);
    for (const user of ids.length > 0 ? await tx.users.byIds(ids.map(Number)) : []) {
      // The API documents `user{id}@{host}`, whatever the host. An account may have it as its real address.
      const documented = emailKey(`user${user.id}@${organization.host}`);
      if (!found.has(documented)) found.set(documented, user);
      found.set(emailKey(placeholderEmail(user.id, organization)), user);
    }
    const answer = new Map<string, User>();
    for (const [address, key] of keys) {
      const user = found.get(key);
      if (user) answer.set(address, user);
    }
    return answer;
  }

  #hiddenUser(name: number | string, user: User | undefined): BadRequest {
    const reason = user?.is_system_bot
      ? 'it is a system bot.'
      : 'they are a restricted guest and share no channel or direct conversation with it.';
    const named = typeof name === 'number' ? `with ID ${name}` : `with the address "${name.trim()}"`;
    const detail = user
      ? `There is an account ${named}, but ${reason}`
      : `There is no account ${named} that they can see.`;
    traceOf(this.user)?.({ rule: 'user', isYes: false, detail });
    return noUser(name);
  }
}

/** The viewer of the call, or one for another user. */
export function viewerOf(context: LookupContext & { readonly viewer?: Viewer | undefined }, user: User): Viewer {
  return context.viewer?.user === user ? context.viewer : new Viewer(context, user);
}

/** The same error for missing messages and for messages that the user cannot read. */
export const noSuchMessage = (id: number) => new BadRequest(`There is no message with ID ${id} that you can access.`);

/**
 * The same error for missing accounts and for accounts that the user cannot see. Released clients look for the first
 * words about an address.
 */
export const noUser = (name: number | string) =>
  new BadRequest(
    typeof name === 'number'
      ? `There is no user with ID ${name}.`
      : `Invalid email '${name.trim()}': there is no user with this address.`,
  );

/** Whether guests see only bots and the users who share a channel or direct conversation with them. */
export function areGuestsRestricted(organization: Organization): boolean {
  return organizationPermission(organization, 'can_access_all_users_group') !== systemGroupId('role:everyone');
}

export function isRestricted(viewer: Pick<User, 'role'>, organization: Organization): boolean {
  return isGuest(viewer) && (roomsOf(viewer) !== undefined || areGuestsRestricted(organization));
}

/** `external:order-17` names the channel whose ID in the embedding program is `order-17`, whatever its name. */
const EXTERNAL = 'external:';

export const externalIdIn = (address: string): string | undefined =>
  address.startsWith(EXTERNAL) ? address.slice(EXTERNAL.length) : undefined;

/** The channel with this ID, name or `external:` ID, whether or not a user can see it. */
export async function findChannel({ tx: { channels } }: Pick<LookupContext, 'tx'>, address: number | string) {
  if (typeof address === 'number') return channels.byId(address);
  const externalId = externalIdIn(address);
  return (
    await (externalId === undefined ? channels.byNames([address.trim()]) : channels.byExternalIds([externalId]))
  )[0];
}
