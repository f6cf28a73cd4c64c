import * as v from 'valibot';
import type { AccountContext } from '../../../access/context.ts';
import { isGranted, membershipOf } from '../../../access/membership.ts';
import { accessUsers } from '../../../access/users.ts';
import { BadRequest } from '../../../base/errors.ts';
import { groupBy } from '../../../base/group-by.ts';
import { describe, flag, list, optional, text } from '../../../base/schemas.ts';
import type { Channel, NewChannel } from '../../../model/channels.ts';
import type { User } from '../../../model/users.ts';
import { inParts, type LongCall, type Progress } from '../../../operation/in-parts.ts';
import { hasContentAccess, mayAddSubscribersHere } from '../../../rules/channels.ts';
import { fold } from '../../../rules/fold.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { isAdministrator, isBot } from '../../../rules/roles.ts';
import { channelLink, notifyEach, silentMention } from '../../messages/notification-bot.ts';
import { introduceLater, openChannels, planAgain, planChannels } from '../channel-creation.ts';
import { channelName, channelSettingParams } from '../channel-settings.ts';
import { COLOR_PATTERN, fullColor } from '../colors.ts';
import { addSubscriptions, checkNamedSubscribers, checkPairs, principalsParam } from '../subscribing.ts';
import { partsOf, type SubscribingPart, stillActive } from '../subscribing-parts.ts';

/** Channels created per transaction. Other requests wait for the transaction. */
const MOST_CREATED = 100;
/** Above this many new subscribers, none get a message, because every user would get their own message. */
const MAX_NEW_SUBSCRIPTION_MESSAGES = 100;
/** Channels listed in the message to a new subscriber. 50 names of maximum length fit. */
const MAX_NAMED = 50;

const color = v.pipe(v.string('must be a string'), v.regex(COLOR_PATTERN, 'must be a colour like #a6c7e5'));

/** Channels to subscribe users to. */
export const channelsToJoin = list(
  v.object(
    { name: text(), description: v.optional(text(MAX_CHANNEL_DESCRIPTION_LENGTH)), color: v.optional(color) },
    'must be an object with a name',
  ),
  1_000,
);

export const joiningParams = v.object({
  subscriptions: describe(channelsToJoin, 'Channels by name. Descriptions and settings only apply to new channels.'),
  principals: principalsParam,
  authorization_errors_fatal: optional(flag, 'Fail completely if you are not allowed to subscribe to a channel.', true),
  send_new_subscription_messages: optional(
    flag,
    'Let the notification bot send a message to the users you subscribe. It sends none to more than 100 users.',
    true,
  ),
  ...channelSettingParams,
});

export type Joining = v.InferOutput<typeof joiningParams>;

/** An existing channel, or a channel to create together with its first subscribers. */
type ChannelToJoin = Channel | NewChannel;

/** The values that all parts of a call share. */
interface Call extends Omit<Joining, 'subscriptions' | 'principals'> {
  users: readonly User[];
  /** By folded channel name. */
  colors: ReadonlyMap<string, string>;
}

interface WantedSubscription {
  channel: Channel;
  user: User;
  /** False if it existed before. */
  isNew: boolean;
}

interface CompletedParts {
  subscriptions: readonly WantedSubscription[];
  /** Channels that this call created, by folded name. */
  created: ReadonlyMap<string, Channel>;
  /** Names of channels that the caller may not subscribe these users to. */
  unauthorized: readonly string[];
}

interface JoiningProgress extends Progress, CompletedParts {
  call: Call;
  left: readonly SubscribingPart<ChannelToJoin>[];
  /** Whether the new subscribers got a message. */
  isSent: boolean;
}

/** @param alsoDone sentences for the error message if a later part fails */
export async function join(
  context: LongCall,
  given: Joining,
  { begun, alsoDone = [] }: { begun?: JoiningProgress; alsoDone?: readonly string[] } = {},
) {
  const describe = (done: CompletedParts) => [progressOf(done), ...alsoDone].join(' ');
  const doPart = (tx: AccountContext, before: JoiningProgress | undefined) =>
    before ? continueJoining(tx, before) : beginJoining(tx, given, context.isTrial);
  const done = await inParts(context, 'write', doPart, { begun, describe });
  // Channels that the caller lost access to during the call. All other subscriptions are done.
  checkUnauthorized(given, done.unauthorized, [describe(done)]);
  return { ...reportOf(done), unauthorized: [...done.unauthorized], isSent: done.isSent };
}

/** Checks everything and does the first part. */
export async function beginJoining(
  context: AccountContext,
  given: Joining,
  isTrial: boolean,
): Promise<JoiningProgress> {
  const { subscriptions, principals, ...settings } = given;
  const { tx, actor } = context;
  checkPairs(subscriptions, principals);
  const wanted = new Map(
    subscriptions.map(({ name, ...more }) => [fold(channelName(name)), { ...more, name: channelName(name) }]),
  );
  const [users, existing] = await Promise.all([
    principals && principals.length > 0 ? accessUsers(context, actor, principals) : [actor],
    wanted.size > 0 ? tx.channels.byNames([...wanted.values()].map(({ name }) => name)) : [],
  ]);
  const { allowed, unauthorized } = await splitByPermission(context, users, existing);
  const refused = unauthorized.map(({ name }) => wanted.get(fold(name))?.name ?? '');
  checkUnauthorized(given, refused);
  const known = new Set(existing.map(({ name }) => fold(name)));
  const unknown = [...wanted].filter(([key]) => !known.has(key)).map(([, channel]) => channel);
  const planned = unknown.length > 0 ? await planChannels(context, settings, unknown) : [];
  // New subscribers get the list of all subscribers.
  checkNamedSubscribers(allowed, 'Send several requests.');
  const colors = new Map([...wanted].flatMap(([key, { color }]) => (color ? [[key, fullColor(color)] as const] : [])));
  const call: Call = { ...settings, users, colors };
  const channels: ChannelToJoin[] = [...allowed, ...planned];
  const all = { channels, users, isLast: true };
  const [part = all, ...left] = isTrial
    ? []
    : partsOf(channels, users, {
        ...(planned.length > 0 ? { most: MOST_CREATED } : {}),
        named: (channel) => ('subscriber_count' in channel ? channel.subscriber_count : 0),
      });
  const before = { subscriptions: [], created: new Map(), unauthorized: refused };
  const first = divided(part.channels, before.created);
  const done = both(before, await subscribePart(context, call, { ...part, ...first }));
  checkUnauthorized(given, done.unauthorized);
  const progress = { ...done, call, left, isComplete: false, isSent: false };
  return left.length > 0 ? progress : notifyNewcomers(context, progress);
}

/** Does the next part. Repeats all checks, because channels, users and permissions may have changed. */
async function continueJoining(context: AccountContext, before: JoiningProgress): Promise<JoiningProgress> {
  const { call } = before;
  const [part, ...left] = before.left;
  if (!part) return notifyNewcomers(context, before);
  const { there, planned } = divided(part.channels, before.created);
  const again = await planAgain(context, call, planned);
  const current = await context.tx.channels.byIds(there.map(({ id }) => id));
  // By ID, because a channel may have been renamed. Channels that this call created need no permission check.
  const created = new Set([...before.created.values()].map(({ id }) => id));
  const own = current.filter(({ id, is_archived }) => created.has(id) && !is_archived);
  const others = current.filter(({ id }) => !created.has(id));
  const { allowed, unauthorized } = await splitByPermission(context, call.users, others);
  const users = await stillActive(context, part.users);
  const channels = [...allowed, ...own];
  const added = await subscribePart(context, call, { there: channels, planned: again, users, isLast: part.isLast });
  await introduceLater(context, part.isLast ? own : [], call.announce);
  // Responses have the names from the first part, which the caller knows.
  const known = new Map(there.map((channel) => [channel.id, channel]));
  const subscriptions = added.subscriptions.map(({ channel, ...subscription }) => ({
    ...subscription,
    channel: known.get(channel.id) ?? channel,
  }));
  const refused = unauthorized.flatMap(({ id }) => known.get(id)?.name ?? []);
  const done = both(before, { ...added, subscriptions, unauthorized: [...added.unauthorized, ...refused] });
  return { ...before, ...done, left };
}

function both(earlier: CompletedParts, later: CompletedParts): CompletedParts {
  return {
    subscriptions: [...earlier.subscriptions, ...later.subscriptions],
    created: new Map([...earlier.created, ...later.created]),
    unauthorized: [...new Set([...earlier.unauthorized, ...later.unauthorized])],
  };
}

/** Splits channels into existing channels and channels to create. */
function divided(channels: readonly ChannelToJoin[], created: ReadonlyMap<string, Channel>) {
  const there: Channel[] = [];
  const planned: NewChannel[] = [];
  for (const channel of channels) {
    const known = 'id' in channel ? channel : created.get(fold(channel.name));
    if (known) there.push(known);
    else planned.push(channel as NewChannel);
  }
  return { there, planned };
}

interface Part {
  there: readonly Channel[];
  planned: readonly NewChannel[];
  users: readonly User[];
  /** True if no later part contains the planned channels. */
  isLast: boolean;
}

/** If another request has created a planned channel since the call began, it is treated like an existing channel. */
async function subscribePart(
  context: AccountContext,
  { users: everybody, colors, announce }: Call,
  { there, planned, users, isLast }: Part,
): Promise<CompletedParts> {
  const letIn = async (news: readonly Channel[]) => {
    const known = new Set(news.map(({ name }) => fold(name)));
    const taken = planned.map(({ name }) => name).filter((name) => !known.has(fold(name)));
    const split = await splitByPermission(context, everybody, await context.tx.channels.byNames(taken));
    const all = [...there, ...split.allowed, ...news];
    const colorsById = new Map<number, string>();
    for (const { id, name } of all) {
      const color = colors.get(fold(name));
      if (color) colorsById.set(id, color);
    }
    const joined = await addSubscriptions(context, all, users, colorsById);
    const subscriptions = all.flatMap((channel) => {
      const added = new Set(joined.newcomers.get(channel.id)?.map(({ id }) => id));
      return users.map((user) => ({ channel, user, isNew: added.has(user.id) }));
    });
    return { ...split, joined, subscriptions, isComplete: isLast };
  };
  const { channels: news, ...result } = await openChannels(context, planned, announce, letIn);
  return {
    subscriptions: result.subscriptions,
    created: new Map(news.map((channel) => [fold(channel.name), channel])),
    unauthorized: result.unauthorized.map(({ name }) => name),
  };
}

/**
 * The last part: sends a message to users who were subscribed by another user, unless messages are off or too many.
 * Channels that the call created need no message.
 */
async function notifyNewcomers(context: AccountContext, done: JoiningProgress): Promise<JoiningProgress> {
  const { actor } = context;
  const created = new Set([...done.created.values()].map(({ id }) => id));
  const others = done.subscriptions.filter(
    ({ channel, user, isNew }) => isNew && !created.has(channel.id) && user.id !== actor.id && !isBot(user),
  );
  const byUser = groupBy(others, ({ user }) => user);
  const isSent = done.call.send_new_subscription_messages && byUser.size <= MAX_NEW_SUBSCRIPTION_MESSAGES;
  if (isSent) {
    const texts = new Map<User, string>();
    for (const [user, joined] of byUser) {
      const named = joined
        .slice(0, MAX_NAMED)
        .map(({ channel }) => channelLink(channel))
        .join(', ');
      const others = joined.length > MAX_NAMED ? ` and ${joined.length - MAX_NAMED} more` : '';
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
  const [membership, subscriptions, mayAddAnywhere] = await Promise.all([
    membershipOf(context, actor),
    context.tx.subscriptions.pairs(
      [actor.id],
      channels.map((channel) => channel.id),
    ),
    addsOthers && (isAdministrator(actor) || isGranted(context, actor, 'can_add_subscribers_group')),
  ]);
  const subscribed = new Set(subscriptions.filter(({ active }) => active).map(({ channel_id }) => channel_id));
  const allowed: Channel[] = [];
  const unauthorized: Channel[] = [];
  for (const channel of channels) {
    const readable = hasContentAccess(channel, membership, subscribed.has(channel.id));
    const mayAdd = !addsOthers || mayAddAnywhere || mayAddSubscribersHere(channel, membership);
    if (readable && !channel.is_archived && mayAdd) allowed.push(channel);
    else unauthorized.push(channel);
  }
  return { allowed, unauthorized };
}

/** Text for the error message of a call that stops halfway. */
function progressOf({ created, subscriptions: wanted }: CompletedParts): string {
  const made = wanted.filter(({ isNew }) => isNew).length;
  const subscriptions = `${made} ${made === 1 ? 'subscription' : 'subscriptions'}`;
  if (created.size === 0) return `Completed before the error: ${subscriptions} added.`;
  const channels = `${created.size} ${created.size === 1 ? 'channel' : 'channels'}`;
  return `Completed before the error: ${channels} created, ${subscriptions} added.`;
}

function reportOf({ subscriptions }: CompletedParts) {
  const subscribed: Record<string, string[]> = {};
  const already_subscribed: Record<string, string[]> = {};
  for (const { channel, user, isNew } of subscriptions) {
    const target = isNew ? subscribed : already_subscribed;
    target[user.id] ??= [];
    target[user.id]?.push(channel.name);
  }
  return { subscribed, already_subscribed };
}
