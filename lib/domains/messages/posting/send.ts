import * as v from 'valibot';
import {
  BadRequest,
  DirectMessageRefused,
  RequestConfusingVariable,
  StreamDoesNotExist,
} from '../../../base/errors.ts';
import { choice, describe, either, forPrograms, id, list, optional, repeatable, text } from '../../../base/schemas.ts';
import { combining, defineOperation } from '../../../operation/operation.ts';
import { storedTopic } from '../../../rules/topics.ts';
import { MENTION_ERRORS, messageContent } from '../message-content.ts';
import { accessChannelToPost, accessPlaceToPost, directParticipants } from './destinations.ts';
import {
  type Addressed,
  canonicalMessage,
  isReadBySender,
  isToChannel,
  messageParams,
  postMessage,
} from './post-message.ts';

const FORM = 'must be a zform: an object with widget_type and extra_data';
const button = v.object({ short_name: text(100), long_name: text(500), reply: text(500) }, FORM);
const choices = v.object({ type: choice(['choices']), heading: text(500), choices: list(button, 50) }, FORM);

/** Buttons that bots add to a message. */
export const zform = v.object({ widget_type: choice(['zform']), extra_data: choices }, FORM);

export const sendMessage = combining<Addressed>()(
  defineOperation({
    name: 'messages.send',
    http: 'POST /messages',
    summary: 'Send a message to a channel or to users',
    description:
      '`/poll QUESTION` and `/todo TITLE` start a poll or a to-do list. Each further line is an option, or a task with an optional description (`TASK: DESCRIPTION`). If a bot addresses a channel that is missing or has no subscribers, its owner gets a direct message, at most once in 5 minutes. A call repeated with an `idempotency_key` may have another `queue_id` and `local_id`.',
    example: { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup **today**' },
    access: 'account',
    forRooms: { type: ['channel', 'stream'] },
    effect: 'append',
    params: {
      ...messageParams,
      to: describe(
        either(
          [id, text(), list(id, 1_000), list(text(), 1_000)],
          'must be a channel ID or name, or a list of user IDs or e-mail addresses',
        ),
        'For a channel: its ID, name or `external:` ID. For a direct message: a list of user IDs or of e-mail addresses.',
      ),
      subject: optional(forPrograms(text()), 'Old name of `topic`.'),
      queue_id: optional(
        forPrograms(text(200)),
        'Event queue of the sending client. Only this queue gets the `local_id`.',
      ),
      local_id: optional(
        forPrograms(text(200)),
        'ID that the client gives the message. Returned in the message event of `queue_id`.',
      ),
      ...repeatable,
      widget_content: optional(
        forPrograms(zform),
        'Buttons below the message. Clients send the `reply` of a button that is clicked.',
      ),
    },
    result: v.object({
      id: describe(v.number(), 'ID of the message.'),
      automatic_new_visibility_policy: optional(
        v.picklist([2, 3]),
        'Set if sending unmuted the topic for you (2) or made you follow it (3).',
      ),
    }),
    idempotency: { ignored: ['queue_id', 'local_id', 'truncate'], canonical: canonicalMessage },
    errors: [StreamDoesNotExist, RequestConfusingVariable, DirectMessageRefused, ...MENTION_ERRORS],
    async propose(context, { type, to, content: text, ...given }) {
      const reading = { ...context, afterCommit: () => undefined };
      const content = messageContent(text, given);
      if (!isToChannel(type)) {
        const participants = await directParticipants(reading, context.actor, directRecipients(to));
        const user_ids = participants.map(({ id }) => id);
        return { message: { kind: 'send', type: 'direct', user_ids, content }, pinned: { to: user_ids } };
      }
      const { topic = given.subject } = given;
      if (topic === undefined) return undefined;
      const { channel } = await accessChannelToPost(reading, context.actor, channelAddress(to));
      const name = storedTopic(topic, context.organization, given);
      const message = { kind: 'send', type: 'channel', channel_id: channel.id, topic: name, content } as const;
      return { message, pinned: { to: channel.id } };
    },
    async run(context, { type, to, content: text, ...given }) {
      const { actor, organization, client } = context;
      const { topic = given.subject, queue_id, local_id } = given;
      if (given.topic !== undefined && given.subject !== undefined)
        throw new RequestConfusingVariable('topic', 'subject');
      const post = {
        sender: actor,
        client,
        widget: given.widget_content,
        readBySender: given.read_by_sender ?? isReadBySender(client),
        ...(queue_id !== undefined && local_id !== undefined ? { echo: { queue_id, local_id } } : {}),
      };
      if (!isToChannel(type)) {
        const content = messageContent(text, given);
        const participants = await directParticipants(context, actor, directRecipients(to));
        return postMessage(context, { participants }, { ...post, content });
      }
      const address = channelAddress(to);
      if (topic === undefined)
        throw new BadRequest('A channel message needs a topic. In a room, it is the empty text.');
      const name = storedTopic(topic, organization, given);
      const content = messageContent(text, given);
      const place = await accessPlaceToPost(context, actor, address, name);
      return postMessage(context, place, { ...post, content });
    },
  }),
);

/** A channel ID, a channel name, or a list with a single ID or name, which older clients send. */
function channelAddress(to: number | string | number[] | string[]): number | string {
  if (!Array.isArray(to)) return to;
  const [only] = to;
  if (to.length !== 1 || only === undefined) throw new BadRequest('A channel message goes to exactly one channel.');
  return only;
}

/** Users by ID or address. A string is a comma-separated list of addresses. */
function directRecipients(to: number | string | number[] | string[]): (number | string)[] {
  if (Array.isArray(to)) return to;
  if (typeof to === 'number') return [to];
  return to
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
