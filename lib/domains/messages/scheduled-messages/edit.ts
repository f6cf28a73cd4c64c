import * as v from 'valibot';
import { BadRequest, DirectMessageRefused, DoesNotExist, StreamDoesNotExist } from '../../../base/errors.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { storedTopic } from '../../../rules/topics.ts';
import type { ScheduledMessage } from '../../../storage/interface/deliveries.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { checkDeliveryLimit, checkDeliveryTime } from '../deliveries.ts';
import { MENTION_ERRORS, truncatable } from '../message-content.ts';
import { checkTopicPolicy } from '../posting/destinations.ts';
import { isToChannel, messageParams } from '../posting/post-message.ts';
import {
  accessScheduledMessage,
  type MessageParams,
  planMessage,
  scheduledMessageUpdated,
  scheduledMessageView,
  scheduledParams,
} from './scheduled-message.ts';

export const editScheduledMessage = defineOperation({
  name: 'scheduledMessages.edit',
  http: 'PATCH /scheduled_messages/{scheduled_message_id}',
  summary: 'Change the content, recipients or time of a scheduled message',
  description: 'A message that could not be sent needs a new time.',
  example: { scheduled_message_id: 1, content: 'Soup **tomorrow**', scheduled_delivery_timestamp: 4102444800 },
  access: 'user',
  effect: 'write',
  params: {
    scheduled_message_id: id,
    type: v.optional(messageParams.type),
    to: v.optional(scheduledParams.to),
    topic: messageParams.topic,
    content: v.optional(messageParams.content),
    scheduled_delivery_timestamp: v.optional(scheduledParams.scheduled_delivery_timestamp),
    ...truncatable,
  },
  errors: [DoesNotExist, StreamDoesNotExist, DirectMessageRefused, ...MENTION_ERRORS],
  async run(context, { scheduled_message_id, truncate, ...given }) {
    const { tx, actor, client, services } = context;
    const present = await accessScheduledMessage(context, scheduled_message_id);
    if (Object.values(given).every((value) => value === undefined))
      throw new BadRequest('Nothing to change. Set at least one parameter.');
    if (given.type !== undefined && given.to === undefined) throw new BadRequest('If you set "type", also set "to".');
    if (given.type !== undefined && isToChannel(given.type) && given.topic === undefined)
      throw new BadRequest('A channel message needs a topic.');
    if (given.type === undefined && typeof given.to === 'number' && present.channel_id === null)
      throw new BadRequest('This is a direct message. To send it to a channel, also set the topic and the type.');
    const time = given.scheduled_delivery_timestamp;
    if (time !== undefined) checkDeliveryTime(context, time);
    if (present.failure !== null && time === undefined)
      throw new BadRequest('This message could not be sent. Set a new scheduled_delivery_timestamp.');
    const message: ScheduledMessage = {
      ...present,
      ...(await planEdit(context, present, { ...given, truncate })),
      client,
      failure: null,
      scheduled_delivery_timestamp: time ?? present.scheduled_delivery_timestamp,
    };
    checkDeliveryLimit('scheduled messages', await tx.scheduledMessages.size(actor.id), message, present);
    await tx.scheduledMessages.replace(message.id, message);
    // Clients get the event even when nothing changed.
    context.emit({ users: [actor.id] }, scheduledMessageUpdated({ scheduled_message: scheduledMessageView(message) }));
    context.afterCommit(() => services.rearm());
  },
});

/** The changed fields, checked like a new message. Empty if only the time changes. */
async function planEdit(context: AccountContext, present: ScheduledMessage, given: Partial<MessageParams>) {
  const type = given.type ?? (present.channel_id === null ? 'direct' : 'channel');
  if (given.to === undefined && given.content === undefined) {
    if (given.topic === undefined || !isToChannel(type)) return {};
    const topic = storedTopic(given.topic, context.organization, given);
    const channel = present.channel_id === null ? undefined : await context.tx.channels.byId(present.channel_id);
    // Permission to post and to mention is checked when the message is sent.
    if (channel) checkTopicPolicy(context, channel, topic);
    return { topic };
  }
  const planned = await planMessage(context, {
    type,
    to: given.to ?? present.channel_id ?? present.recipient_ids,
    topic: given.topic ?? present.topic,
    content: given.content ?? present.content,
    truncate: given.truncate,
  });
  // Unchanged content keeps its rendered HTML.
  return given.content === undefined ? { ...planned, rendered_content: present.rendered_content } : planned;
}
