import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { isRecord } from '../../../base/keys.ts';
import { allInOrder } from '../../../base/lists.ts';
import { describe } from '../../../base/schemas.ts';
import type { ChannelHead } from '../../../model/channels.ts';
import type { Organization } from '../../../model/organization.ts';
import type { BotService, User } from '../../../model/users.ts';
import { deriveWebhookToken } from '../../../rules/credentials.ts';
import { isBot } from '../../../rules/roles.ts';
import type { Subscription } from '../../../storage/interface/channels.ts';
import type { WriteContext } from '../../../viewer/context.ts';
import type { SentMessage } from '../../../viewer/message-changes.ts';
import { type SharedMessage, sharedMessageObject } from '../message-view.ts';

/** `bot_type` of bots with a webhook. */
export const OUTGOING_WEBHOOK = 3;

export const WEBHOOK_CALL = 'webhook';

export interface WebhookCall {
  bot_id: number;
  message_id: number;
  trigger: 'mention' | 'direct_message';
  /** The reply is stored, and the item was not removed yet. */
  is_answered?: boolean;
}

/**
 * Enqueues webhook calls for the bots that a message mentions by name, or that take part in a direct conversation.
 * Messages of bots call no webhook, so that two bots cannot reply to each other forever.
 */
export async function triggerWebhooks(context: WriteContext, messages: readonly SentMessage[]): Promise<void> {
  await allInOrder(messages.map((message) => triggerFor(context, message)));
}

async function triggerFor(context: WriteContext, { message, sender, to, mentions }: SentMessage): Promise<void> {
  if (isBot(sender)) return;
  const call = ({ id }: User, trigger: WebhookCall['trigger']) => {
    const payload: WebhookCall = { bot_id: id, message_id: message.id, trigger };
    context.enqueue({ kind: WEBHOOK_CALL, payload: { ...payload } });
  };
  if (!('channel' in to)) {
    for (const bot of to.participants.filter(hasWebhook)) call(bot, 'direct_message');
    return;
  }
  if (mentions.users.length === 0) return;
  const bots = (await context.tx.users.byIds(mentions.users)).filter(hasWebhook);
  if (bots.length === 0) return;
  for (const bot of to.channel.invite_only ? await subscribed(context, bots, to.channel) : bots) call(bot, 'mention');
}

async function subscribed({ tx }: WriteContext, bots: readonly User[], channel: ChannelHead): Promise<User[]> {
  const ids = bots.map(({ id }) => id);
  const pairs = await tx.subscriptions.pairs(ids, [channel.id]);
  const inside = new Set(pairs.filter(({ active }) => active).map(({ user_id }) => user_id));
  return bots.filter(({ id }) => inside.has(id));
}

/** A webhook gets messages of a private channel only if its bot is subscribed. */
export function isHeardIn(place: { channel: ChannelHead; subscription: Subscription | undefined }): boolean {
  return !place.channel.invite_only || place.subscription?.active === true;
}

const hasWebhook = (user: User) => user.bot_type === OUTGOING_WEBHOOK && user.is_active && user.bot_service !== null;

export const ZULIP_INTERFACE = 1;
export const SLACK_INTERFACE = 2;

const token = describe(
  v.string(),
  "Proves that the request comes from this server. `bots.list` shows the bot's token.",
);
const trigger = v.picklist(['mention', 'direct_message']);

/** Request in the Zulip format, sent as JSON. */
export const zulipRequest = v.object({
  bot_email: v.string(),
  bot_full_name: v.string(),
  data: describe(v.string(), 'The Markdown of the message.'),
  message: describe(sharedMessageObject, 'The message object.'),
  token,
  trigger: describe(trigger, 'Why the bot was called.'),
});

export const slackRequest = v.object({
  token,
  team_id: v.string(),
  team_domain: describe(v.string(), 'Host name of the server.'),
  channel_id: describe(v.string(), '"C" followed by the channel ID.'),
  channel_name: v.string(),
  thread_ts: describe(v.string(), 'Same as `timestamp`.'),
  timestamp: describe(v.string(), 'UNIX time in seconds.'),
  user_id: describe(v.string(), '"U" followed by the user ID of the sender.'),
  user_name: v.string(),
  text: describe(v.string(), 'The Markdown of the message.'),
  trigger_word: trigger,
  service_id: describe(v.string(), 'The ID of the bot.'),
});

export const zulipReply = v.object({
  content: describe(v.optional(v.string()), 'Reply of the bot in Markdown. If absent, the bot does not reply.'),
  response_string: describe(v.optional(v.string()), 'Old name of `content`.'),
  response_not_required: describe(v.optional(v.boolean()), 'If true, the bot does not reply.'),
});

export const slackReply = v.object({
  text: describe(v.optional(v.string()), 'Reply of the bot in Markdown. If absent, the bot does not reply.'),
});

interface RequestParts {
  bot: User;
  service: BotService;
  organization: Organization;
  message: SharedMessage;
  trigger: WebhookCall['trigger'];
}

/** Undefined for direct messages in the Slack format, which does not support them. */
export function requestOf({ bot, service, organization, message, trigger }: RequestParts) {
  const token = deriveWebhookToken(organization.secret, bot);
  if (service.interface !== SLACK_INTERFACE) {
    const { gravatar, ...shown } = message;
    const payload: v.InferOutput<typeof zulipRequest> = {
      bot_email: bot.delivery_email,
      bot_full_name: bot.full_name,
      data: message.content,
      message: shown,
      token,
      trigger,
    };
    return { type: 'application/json', text: JSON.stringify(payload) };
  }
  if (message.stream_id === undefined) return undefined;
  const fields: v.InferOutput<typeof slackRequest> = {
    token,
    team_id: 'T1',
    team_domain: organization.host,
    channel_id: `C${message.stream_id}`,
    channel_name: String(message.display_recipient),
    thread_ts: String(message.timestamp),
    timestamp: String(message.timestamp),
    user_id: `U${message.sender_id}`,
    user_name: message.sender_full_name,
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  };
  return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(fields).toString() };
}

/** The reply, if the bot replies. @throws BadRequest if the response has an invalid format */
export function replyIn(text: string, kind: BotService['interface']): string | undefined {
  if (text.trim() === '') return undefined;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new BadRequest('The webhook response is not JSON.');
  }
  // Some bot servers return an empty JSON string for "no reply".
  if (answer === '') return undefined;
  if (!isRecord(answer)) throw new BadRequest('The webhook response is not a JSON object.');
  if (kind !== SLACK_INTERFACE && answer.response_not_required === true) return undefined;
  const content = kind === SLACK_INTERFACE ? answer.text : (answer.response_string ?? answer.content);
  if (content === undefined || content === null) return undefined;
  if (typeof content !== 'string' && typeof content !== 'number')
    throw new BadRequest('The reply in the webhook response is not a string.');
  return String(content).trim() === '' ? undefined : String(content);
}
