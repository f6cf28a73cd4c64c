import * as v from 'valibot';
import { BadRequest, DoesNotExist } from '../../../base/errors.ts';
import { describe, either, id, integer, list, optional } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { storedTopic, type Truncation } from '../../../rules/topics.ts';
import type { ScheduledMessage } from '../../../storage/interface/deliveries.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { checkMentions, messageContent, renderContent } from '../message-content.ts';
import { accessChannelToPost, checkTopicPolicy, directParticipants } from '../posting/destinations.ts';
import { isToChannel } from '../posting/post-message.ts';

/** Parameters that creating and editing share, besides those of `messages.send`. */
export const scheduledParams = {
  to: describe(
    either([id, list(id, 1_000)], 'must be a channel ID, or a list of user IDs'),
    'For a channel: its ID. For a direct message: a list of user IDs.',
  ),
  scheduled_delivery_timestamp: describe(integer, 'Time to send the message: UNIX time in seconds.'),
};

export const scheduledMessageObject = v.object({
  scheduled_message_id: describe(v.number(), 'Not the ID that the message gets when it is sent.'),
  type: describe(v.picklist(['stream', 'private']), '`stream` for a channel message, `private` for a direct message.'),
  to: describe(
    v.union([v.number(), v.array(v.number())]),
    'Channel ID, or the user IDs of all recipients except you. Your own ID if you are the only recipient.',
  ),
  topic: optional(v.string(), 'Only for channel messages.'),
  content: describe(v.string(), 'Markdown.'),
  rendered_content: describe(v.string(), 'HTML. Rendered again when the message is sent.'),
  scheduled_delivery_timestamp: describe(v.number(), 'UNIX time in seconds.'),
  failed: describe(v.boolean(), 'True if the message could not be sent. Set a new time to send it.'),
});

/** The API view. It does not contain the reason of a failure, which the notification bot sends. */
export function scheduledMessageView(message: ScheduledMessage): v.InferOutput<typeof scheduledMessageObject> {
  const { id, channel_id, recipient_ids, topic, content, rendered_content, scheduled_delivery_timestamp } = message;
  return {
    scheduled_message_id: id,
    ...(channel_id === null
      ? { type: 'private' as const, to: recipient_ids }
      : { type: 'stream' as const, to: channel_id, topic }),
    content,
    rendered_content,
    scheduled_delivery_timestamp,
    failed: message.failure !== null,
  };
}

export const scheduledMessageAdded = defineEvent('scheduled_messages/add', {
  summary: 'You scheduled a message.',
  fields: { scheduled_messages: v.array(scheduledMessageObject) },
});

export const scheduledMessageUpdated = defineEvent('scheduled_messages/update', {
  summary: 'One of your scheduled messages was edited, or could not be sent.',
  fields: { scheduled_message: scheduledMessageObject },
});

export const scheduledMessageRemoved = defineEvent('scheduled_messages/remove', {
  summary: 'One of your scheduled messages was sent or deleted.',
  fields: { scheduled_message_id: v.number() },
});

export async function accessScheduledMessage({ tx, actor }: AccountContext, id: number): Promise<ScheduledMessage> {
  const message = await tx.scheduledMessages.byId(id);
  if (message?.sender_id === actor.id) return message;
  throw new DoesNotExist(`You have no scheduled message with ID ${id}. It may already have been sent.`);
}

export interface MessageParams extends Truncation {
  type: Parameters<typeof isToChannel>[0];
  to: number | readonly number[];
  topic: string | undefined;
  content: string;
}

/** Checks the message as if it were sent now. @throws the errors of `messages.send` */
export async function planMessage(
  context: AccountContext,
  { type, to, topic, content: text, truncate }: MessageParams,
) {
  const { actor, tx } = context;
  const content = messageContent(text, { truncate });
  const place: Pick<ScheduledMessage, 'channel_id' | 'recipient_ids' | 'topic'> = {
    channel_id: null,
    recipient_ids: [],
    topic: '',
  };
  if (isToChannel(type)) {
    if (typeof to !== 'number') throw new BadRequest('For a channel message, set "to" to the ID of one channel.');
    if (topic === undefined) throw new BadRequest('A channel message needs a topic.');
    place.channel_id = to;
    place.topic = storedTopic(topic, context.organization, { truncate });
    const { channel } = await accessChannelToPost(context, actor, to);
    checkTopicPolicy(context, channel, place.topic);
  } else {
    if (typeof to === 'number') throw new BadRequest('For a direct message, set "to" to a list of user IDs.');
    const others = (await directParticipants(context, actor, to)).filter(({ id }) => id !== actor.id);
    place.recipient_ids = others.length > 0 ? others.map(({ id }) => id) : [actor.id];
  }
  const { channel_id } = place;
  const conversation = channel_id === null ? undefined : await tx.conversations.topic(channel_id, place.topic);
  const { html: rendered_content, mentions } = await renderContent(context, actor, content);
  await checkMentions(context, actor, mentions, { id: conversation?.id, channel_id });
  return { ...place, content, rendered_content };
}
