import * as v from 'valibot';
import { accessUsers } from '../../../access/users.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { describe, either, flag, id, list, text } from '../../../kernel/schemas.ts';
import { fold } from '../../../rules/fold.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import type { Channel, NewChannel } from '../../../storage/interface/channels.ts';
import type { User } from '../../../storage/interface/users.ts';
import { channelLink, notifyEach, silentMention } from '../../messages/notification-bot.ts';
import { introduceLater, openChannels, planAgain, planChannels } from '../channel-creation.ts';
import { channelName, channelSettingParams } from '../channel-settings.ts';
import { COLOR_PATTERN, fullColor } from '../colors.ts';
import { checkNamedSubscribers, checkPairs, subscribe } from '../subscribing.ts';
import { partsOf, type SubscribingPart, stillActive, stoppedAfter, type Transacting } from '../subscribing-parts.ts';
import { both, type CompletedParts, leftOut, NOTHING_DONE, progressOf, reportOf } from './joined-so-far.ts';
import { checkUnauthorized, splitByPermission } from './joining-permission.ts';

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
  subscriptions: describe(
    channelsToJoin,
    'Channels by name. The description and the channel settings only apply to new channels.',
  ),
  principals: v.optional(
    describe(
      either([list(id), list(text())], 'must be a list of user IDs or a list of e-mail addresses'),
      'Users to subscribe. Default: you.',
    ),
  ),
  authorization_errors_fatal: v.optional(
    describe(flag, 'Fail the whole request if you are not allowed to subscribe to one of the channels.'),
    true,
  ),
  send_new_subscription_messages: v.optional(
    describe(
      flag,
      'Let the notification bot send a message to the users you subscribe. It sends none to more than 100 users.',
    ),
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

/** Checks everything and does the first part, which is the only part of most calls. */
export async function beginJoining(context: AccountContext, given: Joining, isTrial: boolean) {
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
  const [part = all, ...others] = isTrial
    ? []
    : partsOf(channels, users, {
        ...(planned.length > 0 ? { most: MOST_CREATED } : {}),
        named: (one) => ('subscriber_count' in one ? one.subscriber_count : 0),
      });
  const before = { ...NOTHING_DONE, channels: allowed, unauthorized: refused };
  const first = divided(part.channels, before.created);
  const done = both(before, await subscribePart(context, call, { ...part, ...first }));
  checkUnauthorized(given, done.unauthorized);
  const sent = others.length === 0 && (await notifyNewcomers(context, call, done.channels, done.newcomers));
  return { ...done, given, call, sent, others };
}

/** Does the remaining parts, each in its own transaction, and returns the result of all parts. */
export async function finishJoining(
  { transact }: Transacting,
  { given, call, sent: isSent, others, ...first }: Awaited<ReturnType<typeof beginJoining>>,
) {
  let done: CompletedParts = first;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw stoppedAfter(error, progressOf(done));
    }
  };
  for (const part of others) {
    const before = done;
    done = both(before, await step(() => transact('write', (context) => goOnJoining(context, call, before, part))));
  }
  if (others.length === 0) return { ...reportOf(call.users, done), unauthorized: [...done.unauthorized], sent: isSent };
  const { channels, newcomers } = done;
  const sent = await step(() => transact('write', (context) => notifyNewcomers(context, call, channels, newcomers)));
  // Channels that the caller lost access to during the call. All other subscriptions are done.
  await step(async () => checkUnauthorized(given, done.unauthorized));
  return { ...reportOf(call.users, done), unauthorized: [...done.unauthorized], sent };
}

/** A later part. Repeats all checks, because channels, users and permissions may have changed. */
async function goOnJoining(
  context: AccountContext,
  call: Call,
  done: CompletedParts,
  part: SubscribingPart<ChannelToJoin>,
) {
  const { there, planned } = divided(part.channels, done.created);
  const again = await planAgain(context, call, planned);
  const current = await context.tx.channels.byIds(there.map(({ id }) => id));
  // By ID, because a channel may have been renamed. Channels that this call created need no permission check.
  const created = new Set([...done.created.values()].map(({ id }) => id));
  const own = current.filter(({ id, is_archived }) => created.has(id) && !is_archived);
  const others = current.filter(({ id }) => !created.has(id));
  const { allowed, unauthorized } = await splitByPermission(context, call.users, others);
  const channels = [...allowed, ...own];
  const users = await stillActive(context, part.users);
  const come = await subscribePart(context, call, { there: channels, planned: again, users, isLast: part.isLast });
  await introduceLater(context, part.isLast ? own : [], call.announce);
  const lost = new Set(unauthorized.map(({ id }) => id));
  // The names from the first part, which the caller knows.
  const refused = there.filter(({ id }) => lost.has(id)).map(({ name }) => name);
  return {
    ...come,
    unauthorized: [...come.unauthorized, ...refused],
    leftOut: leftOut({ channels: there, users: part.users }, { channels, users }),
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
  const letIn = async (context: AccountContext, news: readonly Channel[]) => {
    const known = new Set(news.map(({ name }) => fold(name)));
    const taken = planned.map(({ name }) => name).filter((name) => !known.has(fold(name)));
    const split = await splitByPermission(context, everybody, await context.tx.channels.byNames(taken));
    const all = [...there, ...split.allowed, ...news];
    const colorsById = new Map<number, string>();
    for (const { id, name } of all) {
      const color = colors.get(fold(name));
      if (color) colorsById.set(id, color);
    }
    return { ...split, newcomers: await subscribe(context, all, users, colorsById) };
  };
  const { channels: news, result } = await openChannels(context, planned, announce, letIn, () => isLast);
  return {
    channels: result.allowed,
    created: new Map(news.map((channel) => [fold(channel.name), channel])),
    unauthorized: result.unauthorized.map(({ name }) => name),
    newcomers: result.newcomers,
    leftOut: new Set(),
  };
}

/** Sends a message to users who were subscribed by another user. Returns false if messages are off or too many. */
async function notifyNewcomers(
  context: AccountContext,
  { send_new_subscription_messages: isWanted }: Call,
  channels: readonly Channel[],
  newcomers: ReadonlyMap<number, User[]>,
): Promise<boolean> {
  const { actor } = context;
  const byUser = new Map<User, Channel[]>();
  for (const channel of channels) {
    for (const user of newcomers.get(channel.id) ?? []) {
      if (user.id === actor.id || user.bot_type !== null) continue;
      const joined = byUser.get(user);
      if (joined) joined.push(channel);
      else byUser.set(user, [channel]);
    }
  }
  if (!isWanted || byUser.size > MAX_NEW_SUBSCRIPTION_MESSAGES) return false;
  const texts = new Map<User, string>();
  for (const [user, joined] of byUser) {
    const named = joined.slice(0, MAX_NAMED).map(channelLink).join(', ');
    const others = joined.length > MAX_NAMED ? ` and ${joined.length - MAX_NAMED} more` : '';
    texts.set(user, `${silentMention(actor)} subscribed you to ${named}${others}.`);
  }
  await notifyEach(context, texts, actor);
  return true;
}
