import { groupBy } from '../base/lists.ts';
import { queuesDeletedOf } from '../events/queue-notices.ts';
import type { Organization } from '../model/organization.ts';
import type { User } from '../model/users.ts';
import { GUEST, isBot } from '../rules/roles.ts';
import { accountCreated, accountHidden, type StoredAccount } from '../views/shared-events.ts';
import { NO_STATUS, statusView, UNKNOWN_NAME, userStatusChanged, userView } from '../views/user-view.ts';
import type { WriteContext } from './context.ts';
import { areGuestsRestricted } from './viewer.ts';

export interface ContactPair {
  guests: readonly number[];
  users: readonly number[];
}

/** With more pairs, the guests' queues end and clients reload everything. This costs less than an event per account. */
const MAX_PAIRS = 20_000;

interface Visibility {
  encounters: readonly ContactPair[];
  /** Guests and the users they see, because they share a channel or direct conversation. By `guest:user`. */
  visiblePairs: ReadonlyMap<string, GuestAndUser>;
}

/** The active guests, if guests cannot see all users. */
export async function restrictedGuests({
  tx,
  organization,
}: Pick<WriteContext, 'tx' | 'organization'>): Promise<number[]> {
  return areGuestsRestricted(organization) ? tx.users.activeIds([GUEST]) : [];
}

/** The restricted guests among the subscribers of a channel who cannot see the account. */
export async function guestsNotSeeing(
  context: Pick<WriteContext, 'tx' | 'organization'>,
  channelId: number,
  account: User,
): Promise<number[]> {
  if (isBot(account)) return [];
  const { tx } = context;
  const guests = await restrictedGuests(context);
  if (guests.length === 0) return [];
  const inside = (await tx.subscriptions.subscriberIds([channelId], guests)).get(channelId) ?? [];
  const ids = inside.filter((id) => id !== account.id);
  const seeing = new Set((await tx.guestVisibility.between(ids, [account.id])).map(({ guest_id }) => guest_id));
  return ids.filter((id) => !seeing.has(id));
}

/** Call it before the change, and `emitVisibility` after it. */
export async function visibilityBefore(context: WriteContext, given: readonly ContactPair[]) {
  const possible = given.filter(({ guests, users }) => guests.length > 0 && users.length > 0);
  if (possible.length === 0) return undefined;
  const isSmall = ({ guests, users }: ContactPair) => guests.length * users.length <= MAX_PAIRS;
  const large = possible.filter((encounter) => !isSmall(encounter));
  await startOver(
    context,
    large.flatMap(({ guests }) => guests),
  );
  const encounters = possible.filter(isSmall);
  return { encounters, visiblePairs: await findVisiblePairs(context, encounters) };
}

export async function emitVisibility(context: WriteContext, before: Visibility | undefined): Promise<void> {
  if (!before) return;
  const { tx, organization, emit } = context;
  const after = await findVisiblePairs(context, before.encounters);
  const gained = byUser([...after.values()].filter((pair) => !before.visiblePairs.has(keyOf(pair))));
  const lost = byUser([...before.visiblePairs.values()].filter((pair) => !after.has(keyOf(pair))));
  if (gained.size + lost.size === 0) return;
  // All users see bots.
  const people = (await tx.users.byIds([...gained.keys(), ...lost.keys()])).filter((user) => !isBot(user));
  const statuses = new Map(
    (await tx.userStatuses.of(people.map(({ id }) => id))).map((status) => [status.user_id, status]),
  );
  for (const user of people) {
    const [seeing, missing] = [guestsOf(gained.get(user.id)), guestsOf(lost.get(user.id))];
    const status = statusView(user, statuses.get(user.id));
    if (seeing) emit({ users: seeing }, accountCreated(storedAccount(user, organization)));
    if (seeing && status) emit({ users: seeing }, userStatusChanged({ user_id: user.id, ...status }));
    if (missing && status) {
      emit({ users: missing }, userStatusChanged({ user_id: user.id, away: false, ...NO_STATUS }));
    }
    if (missing) emit({ users: missing }, accountHidden({ person: { user_id: user.id, full_name: UNKNOWN_NAME } }));
  }
}

/**
 * Ends the event queues of users when they would get too many events. Their clients then load everything again. The new
 * version of the organization makes concurrent `register` requests notice that their state is outdated.
 */
export async function startOver({ tx, now }: Pick<WriteContext, 'tx' | 'now'>, userIds: readonly number[]) {
  if (userIds.length === 0) return;
  await tx.queues.removeOfUsers(userIds);
  await tx.events.append([queuesDeletedOf(userIds)], now);
  await tx.organization.update({});
}

export function storedAccount(user: User, organization: Organization): StoredAccount {
  const options = { client_gravatar: false, include_custom_profile_fields: true };
  return {
    person: { ...userView({ actor: user, organization }, user, options), email_visibility: user.email_visibility },
  };
}

export interface GuestAndUser {
  guest_id: number;
  user_id: number;
}

const keyOf = ({ guest_id, user_id }: GuestAndUser) => `${guest_id}:${user_id}`;

async function findVisiblePairs(
  { tx }: WriteContext,
  encounters: readonly ContactPair[],
): Promise<Map<string, GuestAndUser>> {
  const all = new Map<string, GuestAndUser>();
  for (const { guests, users } of encounters) {
    for (const pair of await tx.guestVisibility.between(guests, users)) all.set(keyOf(pair), pair);
  }
  return all;
}

const byUser = (list: readonly GuestAndUser[]) => groupBy(list, ({ user_id }) => user_id);

const guestsOf = (list: readonly GuestAndUser[] | undefined) => list?.map(({ guest_id }) => guest_id);
