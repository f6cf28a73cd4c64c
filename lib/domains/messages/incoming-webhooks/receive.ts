import { RE2JS } from 're2js';
import * as v from 'valibot';
import {
  BadRequest,
  DirectMessageRefused,
  RequestConfusingVariable,
  StreamDoesNotExist,
} from '../../../base/errors.ts';
import { keysOf } from '../../../base/keys.ts';
import {
  choice,
  describe,
  either,
  forPrograms,
  id,
  list,
  nonEmptyText,
  optional,
  repeatable,
  text,
} from '../../../base/schemas.ts';
import { normalizeSource } from '../../../markdown/blocks/block.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isBlank, MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { isIncomingWebhook } from '../../../rules/roles.ts';
import { storedTopic } from '../../../rules/topics.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { messageContent } from '../message-content.ts';
import { accessChannelToPost, accessPlaceToPost, directParticipants } from '../posting/destinations.ts';
import { isReadBySender, postMessage } from '../posting/post-message.ts';
import { oneLine, parsePayload, type WebhookFormat, type WebhookMessage } from './format.ts';
import { githubFormat } from './github.ts';
import { jsonFormat } from './json.ts';
import { slackFormat } from './slack.ts';

/** By the last part of the URL. */
const FORMATS = { slack_incoming: slackFormat, json: jsonFormat, github: githubFormat } as const satisfies Record<
  string,
  WebhookFormat
>;
type FormatName = keyof typeof FORMATS;

/** Characters of the body. */
const MAX_PAYLOAD = 1024 * 1024;
const MAX_PATTERNS = 50;
/** UTF-16 code units, which are enough for a message that is too long. */
const MAX_CONTENT = 2 * MAX_MESSAGE_LENGTH + 2;
const MAX_EVENT_NAME = 60;

const channel = either([id, text()], 'must be a channel ID or name');
const patterns = list(text(MAX_EVENT_NAME), MAX_PATTERNS);

export const receiveWebhook = defineOperation({
  name: 'webhooks.receive',
  http: 'POST /external/{format}',
  summary: 'Send what another program posts in its own format',
  description:
    'Only for incoming-webhook bots. Over HTTP, a JSON body is the payload, and a form has it as `payload`. The other parameters are in the URL, with the `api_key` of the bot. Mentions in the payload notify no user.',
  example: {
    format: 'slack_incoming',
    payload: '{"text": "The disk is *full*."}',
    channel: 'general',
    topic: 'alerts',
  },
  access: 'account',
  ownAccount: true,
  scope: 'login',
  effect: 'append',
  incoming: {
    body: 'payload',
    headers: { 'x-github-event': 'event' },
    delivery: 'x-github-delivery',
  },
  params: {
    format: describe(
      choice(keysOf(FORMATS)),
      '`slack_incoming`: as for incoming webhooks of Slack. `json`: any JSON, shown as code. `github`: events of GitHub.',
    ),
    payload: describe(nonEmptyText(MAX_PAYLOAD), 'JSON text, at most 1,048,576 characters.'),
    channel: optional(
      channel,
      'Channel ID, name or `external:` ID. Without it, the owner of the bot gets a direct message.',
    ),
    stream: optional(forPrograms(channel), 'Old name of `channel`.'),
    topic: optional(text(), 'Topic, cut to 60 characters. Default: depends on the payload, or is the name of the bot.'),
    event: optional(forPrograms(text(MAX_EVENT_NAME)), 'Name of the event. GitHub sends it as `X-GitHub-Event`.'),
    only_events: optional(
      patterns,
      'Patterns of the events to send, such as `["push", "check_run.*"]`. Only for formats with events.',
    ),
    exclude_events: optional(patterns, 'Patterns of the events to ignore.'),
    ...repeatable,
  },
  result: v.object({
    ok: describe(v.literal(true), 'Programs that send to Slack expect it.'),
    id: optional(v.number(), 'ID of the message. Absent if the payload reports an event that is not sent.'),
  }),
  errors: [StreamDoesNotExist, RequestConfusingVariable, DirectMessageRefused],
  async propose(context, params) {
    const reading = { ...context, afterCommit: () => undefined };
    const message = messageIn(context.actor, params);
    if (!message) return undefined;
    const content = contentOf(message);
    const address = channelIn(params);
    if (address === undefined) {
      const participants = await directParticipants(reading, context.actor, [ownerOf(context.actor)]);
      const user_ids = participants.map((user) => user.id);
      return { message: { kind: 'send', type: 'direct', user_ids, content }, pinned: {} };
    }
    const { channel: to } = await accessChannelToPost(reading, context.actor, address);
    const topic = topicOf(context, params, message);
    const proposed = { kind: 'send', type: 'channel', channel_id: to.id, topic, content } as const;
    return { message: proposed, pinned: { channel: to.id, stream: undefined } };
  },
  /** @param params `content`: from the hooks of the embedding program */
  async run(context, params: Params & { content?: string }) {
    const { actor, client } = context;
    const message = messageIn(actor, params);
    if (!message) return { ok: true as const };
    const post = {
      sender: actor,
      client,
      readBySender: isReadBySender(client),
      content: params.content ?? contentOf(message),
    };
    const address = channelIn(params);
    const place =
      address === undefined
        ? { participants: await directParticipants(context, actor, [ownerOf(actor)]) }
        : await accessPlaceToPost(context, actor, address, topicOf(context, params, message));
    const { id: sent } = await postMessage(context, place, post);
    return { ok: true as const, id: sent };
  },
});

/** Lists of patterns: `*` is any text, `?` one character, `[ab]` one of these, `[!ab]` another one. */
interface EventFilter {
  only_events?: readonly string[] | undefined;
  exclude_events?: readonly string[] | undefined;
}

interface Params extends EventFilter {
  format: FormatName;
  payload: string;
  channel?: number | string | undefined;
  stream?: number | string | undefined;
  topic?: string | undefined;
  event?: string | undefined;
}

/** Undefined if there is nothing to send. @throws BadRequest, which names the field */
function messageIn(actor: User, { format, payload, event, ...filter }: Params): WebhookMessage | undefined {
  if (!isIncomingWebhook(actor)) {
    throw new BadRequest(
      'Only an incoming-webhook bot can do this. Create one: chatctl bots create --type incoming-webhook',
    );
  }
  const message = FORMATS[format](parsePayload(payload), event);
  return message?.event === undefined || passes(message.event, filter) ? message : undefined;
}

/**
 * The program passes on texts of other people, so mentions become silent ones. This comes last, because formatting can
 * make a mention of two harmless texts, and so can the renderer where it removes characters.
 */
function contentOf({ content }: WebhookMessage): string {
  const silent = normalizeSource(content.slice(0, MAX_CONTENT)).replace(/@(?=\*)/g, '@_');
  return messageContent(silent, { truncate: true });
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu;

function topicOf({ actor, organization }: AccountContext, given: Params, message: WebhookMessage): string {
  const own = oneLine((message.topic ?? '').replace(UNPRINTABLE, ' '));
  return storedTopic(given.topic ?? (isBlank(own) ? actor.full_name : own), organization, { truncate: true });
}

function channelIn({ channel: address, stream }: Params): number | string | undefined {
  if (address !== undefined && stream !== undefined) throw new RequestConfusingVariable('channel', 'stream');
  return address ?? stream;
}

function ownerOf({ bot_owner_id }: User): number {
  if (bot_owner_id === null) throw new BadRequest('This bot has no owner. Add a channel to the URL.');
  return bot_owner_id;
}

/** Whether an event passes. A pattern matches it with or without its action: `issues` matches `issues.opened`. */
export function passes(event: string, { only_events, exclude_events }: EventFilter): boolean {
  const names = [event, event.replace(/\..*$/s, '')];
  const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, names));
  if (only_events && !isIn(only_events)) return false;
  return !exclude_events || !isIn(exclude_events);
}

/** In linear time: the owner of the URL chooses the patterns. */
function matches(pattern: string, names: readonly string[]): boolean {
  if (!/[*?[]/.test(pattern)) return names.includes(pattern);
  const source = pattern.replace(/\[(!?)([^\]]+)\]|[\s\S]/gu, (sign, negates: string, signs: string | undefined) => {
    if (signs !== undefined) return `[${negates ? '^' : ''}${signs.replace(/[\\^[\]&~-]/g, '\\$&')}]`;
    if (sign === '*') return '.*';
    return sign === '?' ? '.' : RE2JS.quote(sign);
  });
  const compiled = RE2JS.compile(source, RE2JS.DOTALL);
  return names.some((name) => compiled.matches(name));
}
