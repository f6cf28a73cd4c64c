import * as v from 'valibot';
import { isGranted, membershipOf } from '../../../access/membership.ts';
import { accessUsers } from '../../../access/users.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, either, flag, id, list, text } from '../../../kernel/schemas.ts';
import { hasContentAccess, mayAddSubscribersHere } from '../../../rules/channels.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../../rules/names.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { Channel } from '../../../storage/interface/channels.ts';
import type { User } from '../../../storage/interface/users.ts';
import { channelLink, notifyUser, silentMention } from '../../messages/notification-bot.ts';
import { createChannel, introduceChannel } from '../channel-creation.ts';
import { checkChannelLimits } from '../channel-limits.ts';
import { channelSettingParams } from '../channel-settings.ts';
import { channelName } from '../channel-text.ts';
import { COLOR_PATTERN, fullColor } from '../colors.ts';
import {
  checkNamedSubscribers,
  checkPairs,
  MAX_PAIRS,
  partsOf,
  type SubscribingPart,
  subscribe,
  subscribeParts,
} from '../subscribing.ts';

/** More new subscribers than this at once are not written to: that would be a message to each of them. */
const MAX_NEW_SUBSCRIPTION_MESSAGES = 100;
/** Channels that such a message names; the longest names of so many fit into one. */
const MAX_NAMED = 50;

const color = v.pipe(v.string('must be a string'), v.regex(COLOR_PATTERN, 'must be a colour like #a6c7e5'));

const params = v.object({
  subscriptions: describe(
    list(
      v.object(
        { name: text(), description: v.optional(text(MAX_CHANNEL_DESCRIPTION_LENGTH)), color: v.optional(color) },
        'must be an object with a name',
      ),
      1_000,
    ),
    'Channels by name; description and settings apply to those that are created.',
  ),
  principals: v.optional(
    describe(
      either([list(id), list(text())], 'must be a list of user IDs or a list of e-mail addresses'),
      'Users to subscribe; you yourself when absent.',
    ),
  ),
  authorization_errors_fatal: v.optional(
    describe(flag, 'Whether a channel you cannot join fails the whole request.'),
    true,
  ),
  send_new_subscription_messages: v.optional(
    describe(flag, 'Whether the notification bot writes to new subscribers.'),
    true,
  ),
  ...channelSettingParams,
});

type Given = v.InferOutput<typeof params>;

export const addSubscriptions = defineOperation({
  name: 'subscriptions.add',
  http: 'POST /users/me/subscriptions',
  summary: 'Subscribe yourself or others to channels, creating those that do not exist',
  description: `Channels times users can be ${MAX_PAIRS} in one request.`,
  example: { subscriptions: [{ name: 'general' }] },
  access: 'member',
  effect: 'manual',
  params,
  result: v.object({
    subscribed: describe(v.record(v.string(), v.array(v.string())), 'Names of channels by user ID.'),
    already_subscribed: v.record(v.string(), v.array(v.string())),
    unauthorized: v.optional(v.array(v.string())),
    new_subscription_messages_sent: v.optional(v.boolean()),
  }),
  errors: [BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal],
  async run({ transact, isTrial }, given) {
    const { authorization_errors_fatal, send_new_subscription_messages } = given;
    const first = await transact('write', (context) => beginSubscribing(context, given, isTrial));
    const { users, channels, allowed, unauthorized, colors, introduce, others } = first;
    const newcomers = await subscribeParts({ transact }, others, colors, first.newcomers, introduce);
    const sent =
      others.length === 0
        ? first.sent
        : await transact('write', (context) =>
            notifyNewcomers(context, allowed, newcomers, send_new_subscription_messages),
          );
    return {
      ...report(users, channels, newcomers),
      ...(authorization_errors_fatal ? {} : { unauthorized }),
      new_subscription_messages_sent: sent,
    };
  },
});

/** Checks everything, creates channels that do not exist, and subscribes a first part, which is most often all. */
async function beginSubscribing(context: AccountContext, given: Given, isTrial: boolean) {
  const { subscriptions, principals, authorization_errors_fatal, send_new_subscription_messages, ...settings } = given;
  const { tx, actor } = context;
  checkPairs(subscriptions, principals);
  const users = principals && principals.length > 0 ? await accessUsers(context, actor, principals) : [actor];
  const wanted = new Map(
    subscriptions.map((given) => [channelName(given.name).toLowerCase(), { ...given, name: channelName(given.name) }]),
  );
  const existing = wanted.size > 0 ? await tx.channels.byNames([...wanted.values()].map(({ name }) => name)) : [];
  const split = await splitByPermission(context, users, existing);
  const { allowed } = split;
  const unauthorized = split.unauthorized.map((channel) => wanted.get(channel.name.toLowerCase())?.name ?? '');
  if (unauthorized.length > 0 && authorization_errors_fatal) {
    throw new BadRequest(`You are not allowed to subscribe to ${unauthorized.map((name) => `"${name}"`).join(', ')}.`);
  }
  const known = new Set(existing.map((channel) => channel.name.toLowerCase()));
  const created: Channel[] = [];
  for (const [key, { name, description = '' }] of wanted) {
    if (!known.has(key)) created.push(await createChannel(context, { ...settings, name, description }));
  }
  if (created.length > 0) await checkChannelLimits(context);
  const channels = [...allowed, ...created];
  // Whoever is subscribed is told of all others.
  checkNamedSubscribers(channels, 'Send several.');
  const colors = new Map<number, string>();
  for (const channel of channels) {
    const given = wanted.get(channel.name.toLowerCase())?.color;
    if (given) colors.set(channel.id, fullColor(given));
  }
  const unknown = new Set(created.map(({ id }) => id));
  // With the first people who come in.
  const introduce = async (context: AccountContext, part: SubscribingPart) => {
    const news = part.users[0] === users[0] ? part.channels.filter(({ id }) => unknown.has(id)) : [];
    for (const channel of news) await introduceChannel(context, channel, settings.announce);
  };
  const [part = { channels, users }, ...others] = isTrial ? [] : partsOf(channels, users);
  const newcomers = await subscribe(context, part.channels, part.users, colors);
  await introduce(context, part);
  const isAll = others.length === 0;
  const sent = isAll && (await notifyNewcomers(context, allowed, newcomers, send_new_subscription_messages));
  return { users, channels, allowed, unauthorized, colors, newcomers, sent, introduce, others };
}

/** Channels the caller may subscribe these users to, and the others: hidden ones among them, so only what was asked for is told of them. */
async function splitByPermission(context: AccountContext, users: readonly User[], channels: readonly Channel[]) {
  const { actor } = context;
  const membership = await membershipOf(context, actor);
  const subscriptions = await context.tx.subscriptions.pairs(
    [actor.id],
    channels.map((channel) => channel.id),
  );
  const subscribed = new Set(subscriptions.filter(({ active }) => active).map(({ channel_id }) => channel_id));
  const addsOthers = users.some((user) => user.id !== actor.id);
  const mayAddAnywhere =
    addsOthers && (isAdministrator(actor) || (await isGranted(context, actor, 'can_add_subscribers_group')));
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

/** Tells people who were subscribed by somebody else; returns whether these were few enough to be written to. */
async function notifyNewcomers(
  context: AccountContext,
  channels: readonly Channel[],
  newcomers: ReadonlyMap<number, User[]>,
  wanted: boolean,
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
  if (!wanted || byUser.size > MAX_NEW_SUBSCRIPTION_MESSAGES) return false;
  for (const [user, joined] of byUser) {
    const named = joined.slice(0, MAX_NAMED).map(channelLink).join(', ');
    const others = joined.length > MAX_NAMED ? ` and ${joined.length - MAX_NAMED} more` : '';
    await notifyUser(context, user, `${silentMention(actor)} subscribed you to ${named}${others}.`);
  }
  return true;
}

function report(users: readonly User[], channels: readonly Channel[], newcomers: ReadonlyMap<number, User[]>) {
  const subscribed: Record<string, string[]> = {};
  const already_subscribed: Record<string, string[]> = {};
  for (const channel of channels) {
    const added = new Set(newcomers.get(channel.id)?.map((user) => user.id));
    for (const user of users) {
      const target = added.has(user.id) ? subscribed : already_subscribed;
      target[user.id] ??= [];
      target[user.id]?.push(channel.name);
    }
  }
  return { subscribed, already_subscribed };
}
