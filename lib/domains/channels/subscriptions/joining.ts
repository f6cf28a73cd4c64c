import * as v from 'valibot';
import { counted } from '../../../base/counted.ts';
import { BadRequest } from '../../../base/errors.ts';
import { groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { describe, list, nonEmptyText, text, trueByDefault } from '../../../base/schemas.ts';
import type { Channel, NewChannel } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import { inParts, type LongCall, type Progress } from '../../../operation/operation.ts';
import { hasChannelPermission, mayAddSubscribersHere, mayAdministerChannel } from '../../../rules/channels.ts';
import { fold } from '../../../rules/fold.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import type { Membership } from '../../../rules/permissions.ts';
import { isAdministrator, isBot } from '../../../rules/roles.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import type { KnownChannel } from '../../../viewer/viewer.ts';
import { channelLink, notifyEach, silentMention } from '../../messages/notification-bot.ts';
import { createChannels, introduceChannels, openChannels, planChannels } from '../channel-creation.ts';
import { type ChannelSettings, channelName, channelSettingParams } from '../channel-settings.ts';
import {
  addSubscriptions,
  COLOR_PATTERN,
  checkNamedSubscribers,
  checkPairs,
  fullColor,
  partsOf,
  principalsOf,
  principalsParam,
  type SubscribingPart,
} from '../subscribing.ts';

/** Channels created per transaction. Other requests wait for the transaction. */
const MAX_CREATED = 100;
/** Above this many new subscribers, none get a message, because every user would get their own message. */
const MAX_NEW_SUBSCRIPTION_MESSAGES = 100;
/** Channels listed in the message to a new subscriber. 50 names of maximum length fit. */
const MAX_NAMED = 50;

const color = v.pipe(v.string('must be a string'), v.regex(COLOR_PATTERN, 'must be a colour like #a6c7e5'));

export const channelsToJoin = list(
  v.object(
    { name: nonEmptyText(), description: v.nullish(text(MAX_CHANNEL_DESCRIPTION_LENGTH)), color: v.nullish(color) },
    'must be an object with a name',
  ),
  1_000,
);

export const joiningParams = v.object({
  subscriptions: describe(channelsToJoin, 'Channels by name. Descriptions and settings only apply to new channels.'),
  principals: principalsParam,
  authorization_errors_fatal: trueByDefault('Fail completely if you are not allowed to subscribe to a channel.'),
  send_new_subscription_messages: trueByDefault('Message the users you subscribe, unless more than 100.'),
  ...channelSettingParams,
});

type JoiningParams = v.InferOutput<typeof joiningParams>;

/** The values that all parts of a call share. */
interface Call extends ChannelSettings {
  users: readonly User[];
  /** By folded channel name. */
  colors: ReadonlyMap<string, string>;
  send_new_subscription_messages: boolean;
}

/** With existing channels, and channels to create together with their first subscribers. */
type JoiningPart = SubscribingPart<Channel | NewChannel>;

interface JoiningProgress extends Progress {
  call: Call;
  left: readonly JoiningPart[];
  /** `isNew`: false if it existed before. */
  subscriptions: readonly { channel: Channel; user: User; isNew: boolean }[];
  created: readonly Channel[];
  /** Names of channels that the caller may not subscribe these users to. */
  unauthorized: readonly string[];
  /** Whether the new subscribers got a message. */
  isSent: boolean;
}

/** @param alsoDone sentences for the error message if a later part fails */
export async function join(
  context: LongCall,
  given: JoiningParams,
  { begun, alsoDone = [] }: { begun?: JoiningProgress; alsoDone?: readonly string[] } = {},
) {
  const begin = (tx: AccountContext) => beginJoining(tx, given, context);
  const done = await subscribeInParts(context, begin, { begun, alsoDone });
  const { subscriptions, isSent } = done;
  const unauthorized = [...new Set(done.unauthorized)];
  // Channels that the caller lost access to during the call. All other subscriptions are done.
  checkUnauthorized(given, unauthorized, [progressOf(done), ...alsoDone]);
  const subscribed = namesByUser(subscriptions.filter(({ isNew }) => isNew));
  const already_subscribed = namesByUser(subscriptions.filter(({ isNew }) => !isNew));
  return { subscribed, already_subscribed, unauthorized, isSent };
}

function namesByUser(subscriptions: JoiningProgress['subscriptions']): Record<string, string[]> {
  const byUser = groupBy(subscriptions, ({ user }) => user.id);
  return Object.fromEntries([...byUser].map(([id, own]) => [id, own.map(({ channel }) => channel.name)]));
}

export function subscribeInParts(
  context: LongCall,
  begin: (context: AccountContext) => Promise<JoiningProgress>,
  { begun, alsoDone = [] }: { begun?: JoiningProgress | undefined; alsoDone?: readonly string[] } = {},
): Promise<JoiningProgress> {
  const describe = (done: JoiningProgress) => [progressOf(done), ...alsoDone].join(' ');
  const doPart = (tx: AccountContext, before?: JoiningProgress) => (before ? continueJoining(tx, before) : begin(tx));
  return inParts(context, 'write', doPart, { begun, describe });
}

/** Checks everything and does the first part. */
export async function beginJoining(
  context: AccountContext,
  { subscriptions, principals, ...given }: JoiningParams,
  call: Pick<LongCall, 'isDryRun'>,
): Promise<JoiningProgress> {
  const { tx } = context;
  checkPairs(subscriptions, principals);
  const wanted = new Map(
    subscriptions.map(({ name, ...more }) => [fold(channelName(name)), { ...more, name: channelName(name) }]),
  );
  const [users, existing] = await Promise.all([
    principalsOf(context, principals),
    wanted.size > 0 ? tx.channels.byNames([...wanted.values()].map(({ name }) => name)) : [],
  ]);
  const { allowed, unauthorized } = await splitByPermission(context, users, existing);
  const refused = unauthorized.map(({ name }) => wanted.get(fold(name))?.name ?? '');
  checkUnauthorized(given, refused);
  const known = new Set(existing.map(({ name }) => fold(name)));
  const unknown = [...wanted].filter(([key]) => !known.has(key)).map(([, channel]) => channel);
  const planned = await planChannels(context, given, unknown);
  // New subscribers get the list of all subscribers.
  checkNamedSubscribers(allowed, 'Send several requests.');
  const colors = new Map([...wanted].flatMap(([key, { color }]) => (color ? [[key, fullColor(color)] as const] : [])));
  const done = await beginSubscribing(context, { ...given, users, colors }, [...allowed, ...planned], {
    isDryRun: call.isDryRun,
    unauthorized: refused,
  });
  checkUnauthorized(given, done.unauthorized);
  return done;
}

/** Does the first part of a call. The caller has checked everything. */
export async function beginSubscribing(
  context: AccountContext,
  call: Call,
  channels: readonly (Channel | NewChannel)[],
  { isDryRun, unauthorized = [] }: Pick<LongCall, 'isDryRun'> & { unauthorized?: readonly string[] },
): Promise<JoiningProgress> {
  const { users } = call;
  const limits = {
    ...(channels.every(isStored) ? {} : { max: MAX_CREATED }),
    named: (channel: Channel | NewChannel) => (isStored(channel) ? channel.subscriber_count : 0),
  };
  const [part = { channels, users, isLast: true }, ...left] = isDryRun ? [] : partsOf(channels, users, limits);
  const before = { call, left, subscriptions: [], created: [], unauthorized, isComplete: false, isSent: false };
  const done = await subscribePart(context, before, part);
  return left.length > 0 ? done : notifyNewcomers(context, done);
}

/** Does the next part. Repeats all checks, because channels, users and permissions may have changed. */
async function continueJoining(context: AccountContext, before: JoiningProgress): Promise<JoiningProgress> {
  const { tx } = context;
  const { call } = before;
  const [part, ...left] = before.left;
  if (!part) return notifyNewcomers(context, before);
  const planned = await planChannels(context, call, part.channels.filter(isPlanned));
  const known = part.channels.filter(isStored);
  // By ID, because a channel may have been renamed. Channels that this call created need no permission check.
  const current = await tx.channels.byIds(known.map(({ id }) => id));
  const created = new Set(before.created.map(({ id }) => id));
  const own = current.filter(({ id, is_archived }) => created.has(id) && !is_archived);
  const seen = new Map(known.map((channel) => [channel.id, channel]));
  // A channel that was empty when the call began still counts as empty.
  const others = current
    .filter(({ id }) => !created.has(id))
    .map((channel) => (seen.get(channel.id)?.subscriber_count === 0 ? { ...channel, subscriber_count: 0 } : channel));
  const { allowed, unauthorized } = await splitByPermission(context, part.users, others);
  const users = (await tx.users.byIds(part.users.map(({ id }) => id))).filter(({ is_active }) => is_active);
  // A new name may be hidden from the caller, so the response has the names from the first part.
  const refused = unauthorized.flatMap(({ id }) => seen.get(id)?.name ?? []);
  const soFar = { ...before, left, unauthorized: [...before.unauthorized, ...refused] };
  const done = await subscribePart(context, soFar, { ...part, channels: [...allowed, ...own, ...planned], users });
  if (part.isLast) await introduceChannels(context, own, call);
  const subscriptions = done.subscriptions.map((subscription) => ({
    ...subscription,
    channel: seen.get(subscription.channel.id) ?? subscription.channel,
  }));
  return { ...done, subscriptions };
}

const isStored = (channel: Channel | NewChannel): channel is Channel => 'id' in channel;
const isPlanned = (channel: Channel | NewChannel) => !isStored(channel);

/** If another request has created a planned channel since the call began, it is treated like an existing channel. */
async function subscribePart(
  context: AccountContext,
  before: JoiningProgress,
  { channels: wanted, users, isLast }: JoiningPart,
): Promise<JoiningProgress> {
  const { call } = before;
  const planned = wanted.filter(isPlanned);
  const created = await createChannels(context, planned);
  const createdByName = new Map(created.map((channel) => [fold(channel.name), channel]));
  const taken = planned.map(({ name }) => name).filter((name) => !createdByName.has(fold(name)));
  const existing = taken.length > 0 ? await context.tx.channels.byNames(taken) : [];
  const { allowed, unauthorized } = await splitByPermission(context, call.users, existing);
  const channels = [...wanted.filter(isStored), ...allowed, ...created];
  const joined = await addSubscriptions(context, channels, users, {
    colorOf: ({ name }) => call.colors.get(fold(name)),
  });
  await openChannels(context, created, joined, { announce: call.announce, isComplete: isLast });
  const added = new Set(joined.added.map(({ user_id, channel_id }) => `${user_id}:${channel_id}`));
  const subscriptions = channels.flatMap((channel) =>
    users.map((user) => ({ channel, user, isNew: added.has(`${user.id}:${channel.id}`) })),
  );
  return {
    ...before,
    left: before.left.map((part) => ({
      ...part,
      channels: part.channels.map((channel) => createdByName.get(fold(channel.name)) ?? channel),
    })),
    subscriptions: [...before.subscriptions, ...subscriptions],
    created: [...before.created, ...created],
    unauthorized: [...before.unauthorized, ...unauthorized.map(({ name }) => name)],
  };
}

/**
 * The last part: sends a message to users who were subscribed by another user, unless messages are off or too many.
 * Channels that the call created need no message.
 */
async function notifyNewcomers(context: AccountContext, done: JoiningProgress): Promise<JoiningProgress> {
  const { actor } = context;
  const created = new Set(done.created.map(({ id }) => id));
  const others = done.subscriptions.filter(
    ({ channel, user, isNew }) => isNew && !created.has(channel.id) && user.id !== actor.id && !isBot(user),
  );
  // Each part has read its users again.
  const byUser = groupBy(others, ({ user }) => user.id);
  const isSent = done.call.send_new_subscription_messages && byUser.size <= MAX_NEW_SUBSCRIPTION_MESSAGES;
  if (isSent) {
    const texts = new Map<User, string>();
    for (const joined of byUser.values()) {
      const named = joined
        .slice(0, MAX_NAMED)
        .map(({ channel }) => channelLink(channel))
        .join(', ');
      const others = joined.length > MAX_NAMED ? ` and ${joined.length - MAX_NAMED} more` : '';
      const { user } = present(joined.at(-1));
      texts.set(user, `${silentMention(actor)} subscribed you to ${named}${others}.`);
    }
    await notifyEach(context, texts, actor);
  }
  return { ...done, isComplete: true, isSent };
}

function checkUnauthorized(
  { authorization_errors_fatal }: { authorization_errors_fatal: boolean },
  names: readonly string[],
  done: readonly string[] = [],
): void {
  if (names.length === 0 || !authorization_errors_fatal) return;
  const refusal = `You are not allowed to subscribe to ${names.map((name) => `"${name}"`).join(', ')}.`;
  throw new BadRequest([refusal, ...done].join(' '));
}

/**
 * Splits channels by whether the caller may subscribe these users to them. The unauthorized channels may be hidden from
 * the caller, so a response may only contain the names from the request.
 */
async function splitByPermission(context: AccountContext, users: readonly User[], channels: readonly Channel[]) {
  if (channels.length === 0) return { allowed: [], unauthorized: [] };
  const { actor } = context;
  const addsOthers = users.some((user) => user.id !== actor.id);
  const [{ known, membership }, mayAddAnywhere] = await Promise.all([
    context.viewer.knownChannels(channels),
    addsOthers && (isAdministrator(actor) || context.viewer.may('can_add_subscribers_group')),
  ]);
  const readable = new Set(known.filter(({ readable }) => readable).map(({ channel }) => channel.id));
  const hidden = known.filter(({ readable }) => !readable);
  const open = hidden.length > 0 ? await openTo(context, users, { hidden, by: membership }) : new Set();
  const isAllowed = (channel: Channel) =>
    !channel.is_archived &&
    (readable.has(channel.id)
      ? !addsOthers || mayAddAnywhere || mayAddSubscribersHere(channel, membership)
      : open.has(channel.id));
  return { allowed: channels.filter(isAllowed), unauthorized: channels.filter((channel) => !isAllowed(channel)) };
}

/**
 * The IDs of private channels that the caller cannot read, but may still subscribe these users to. A creator who never
 * was a subscriber may add others, not own bots; bots count as their owners. Administrators may return former
 * subscribers to a channel without subscribers, and add anyone if none of these is active. So they cannot read a channel
 * by removing its subscribers.
 */
async function openTo(
  { tx, actor }: AccountContext,
  users: readonly User[],
  { hidden, by }: { hidden: readonly KnownChannel[]; by: Membership },
) {
  const empty = hidden.filter(({ channel }) => channel.subscriber_count === 0 && mayAdministerChannel(channel, by));
  const ids = empty.map(({ channel }) => channel.id);
  const former = groupBy(await tx.subscriptions.formerOfChannels(ids), ({ channel_id }) => channel_id);
  const mayRepair = (id: number) => {
    const returning = new Set(former.get(id)?.map(({ user_id }) => user_id));
    return returning.size === 0 || users.every((user) => returning.has(user.id));
  };
  const personOf = (user: User) => user.bot_owner_id ?? user.id;
  const areOthers = users.every((user) => personOf(user) !== personOf(actor));
  const own = hidden.filter(
    ({ channel, subscription }) =>
      channel.creator_id === actor.id &&
      !subscription &&
      hasChannelPermission(channel, 'can_administer_channel_group', by),
  );
  return new Set([...ids.filter(mayRepair), ...(areOthers ? own.map(({ channel }) => channel.id) : [])]);
}

/** Text for the error message of a call that stops halfway. */
function progressOf({ created, subscriptions: wanted }: JoiningProgress): string {
  const channels = created.length === 0 ? '' : `${counted(created.length, 'channel')} created, `;
  const subscriptions = counted(wanted.filter(({ isNew }) => isNew).length, 'subscription');
  return `Completed before the error: ${channels}${subscriptions} added.`;
}
