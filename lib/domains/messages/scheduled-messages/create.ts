import * as v from 'valibot';
import { DirectMessageRefused, StreamDoesNotExist } from '../../../base/errors.ts';
import { repeatable } from '../../../base/schemas.ts';
import { combining, defineOperation } from '../../../operation/operation.ts';
import { checkDeliveryLimit, checkDeliveryTime, MAX_DELIVERIES } from '../deliveries.ts';
import { MENTION_ERRORS } from '../message-content.ts';
import { type Addressed, canonicalMessage, isReadBySender, messageParams } from '../posting/post-message.ts';
import { planMessage, scheduledMessageAdded, scheduledMessageView, scheduledParams } from './scheduled-message.ts';

export const createScheduledMessage = combining<Addressed>()(
  defineOperation({
    name: 'scheduledMessages.create',
    http: 'POST /scheduled_messages',
    summary: 'Schedule a message',
    description: `The server checks the message now, and again when it sends it. You can have at most ${MAX_DELIVERIES} scheduled messages.`,
    example: {
      type: 'channel',
      to: 1,
      topic: 'lunch',
      content: 'Soup **today**',
      scheduled_delivery_timestamp: 4102444800,
    },
    access: 'user',
    effect: 'write',
    params: { ...messageParams, ...scheduledParams, ...repeatable },
    result: v.object({ scheduled_message_id: v.number() }),
    idempotency: { ignored: ['truncate'], canonical: canonicalMessage },
    errors: [StreamDoesNotExist, DirectMessageRefused, ...MENTION_ERRORS],
    async run(context, { type, to, topic, content, truncate, scheduled_delivery_timestamp, read_by_sender }) {
      const { tx, actor, client, services } = context;
      checkDeliveryTime(context, scheduled_delivery_timestamp);
      const planned = await planMessage(context, { type, to, topic, content, truncate });
      checkDeliveryLimit('scheduled messages', await tx.scheduledMessages.size(actor.id), planned);
      const isToOneself = planned.recipient_ids.includes(actor.id);
      const message = {
        ...planned,
        sender_id: actor.id,
        client,
        read_by_sender: read_by_sender ?? (isReadBySender(client) && !isToOneself),
        scheduled_delivery_timestamp,
      };
      const id = await tx.scheduledMessages.create(message);
      const view = scheduledMessageView({ ...message, id, failure: null, revision: 0 });
      context.emit({ users: [actor.id] }, scheduledMessageAdded({ scheduled_messages: [view] }));
      context.afterCommit(() => services.rearm());
      return { scheduled_message_id: id };
    },
  }),
);
