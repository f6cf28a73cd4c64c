import { proposedPlace } from '../../../adapters/hooks.ts';
import { BadRequest } from '../../../base/errors.ts';
import { contentAfterHooks } from '../../../engine/ask-hooks.ts';
import { defineFeature } from '../../../operation/feature.ts';
import type { ScheduledMessage } from '../../../storage/interface/deliveries.ts';
import type { Services } from '../../../viewer/context.ts';
import { deliveries } from '../deliveries.ts';
import { messageContent } from '../message-content.ts';
import { notifyUser, quotation } from '../notification-bot.ts';
import { accessPlaceToPost, directParticipants } from '../posting/destinations.ts';
import { postMessage } from '../posting/post-message.ts';
import { createScheduledMessage } from './create.ts';
import { deleteScheduledMessage } from './delete.ts';
import { editScheduledMessage } from './edit.ts';
import { listScheduledMessages } from './list.ts';
import {
  scheduledMessageAdded,
  scheduledMessageRemoved,
  scheduledMessageUpdated,
  scheduledMessageView,
} from './scheduled-message.ts';

const LATEST_MS = 600_000;

/** Sends messages at their time, with the permissions that the sender has then. */
const scheduledDelivery = deliveries({
  name: 'scheduled messages',
  store: (tx) => tx.scheduledMessages,
  async send(services, message, take) {
    const { sender_id, channel_id, client } = message;
    if (services.clock.now() > message.scheduled_delivery_timestamp * 1000 + LATEST_MS) {
      throw new BadRequest('The server could not send the message in time. It was due more than 10 minutes ago.');
    }
    const content = messageContent(await reviewedContent(services, message), { truncate: true });
    await services.appendAs({ userId: sender_id, client }, async (context) => {
      const { actor, tx } = context;
      const to =
        channel_id === null
          ? { participants: await directParticipants(context, actor, message.recipient_ids) }
          : await accessPlaceToPost(context, actor, channel_id, message.topic);
      await take(tx);
      await postMessage(context, to, { sender: actor, content, client, readBySender: message.read_by_sender });
      context.emit({ users: [actor.id] }, scheduledMessageRemoved({ scheduled_message_id: message.id }));
    });
  },
  ownerOf: ({ sender_id }) => sender_id,
  async notify(context, sender, message, failure) {
    const scheduled_message = scheduledMessageView({ ...message, failure });
    context.emit({ users: [sender.id] }, scheduledMessageUpdated({ scheduled_message }));
    // Clients show this time in the time zone of the user.
    const when = new Date(message.scheduled_delivery_timestamp * 1000).toISOString().replace('.000Z', 'Z');
    const text = `Your message scheduled for <time:${when}> was not sent:\n${quotation(failure)}\nTo send it, set a new time in your [scheduled messages](#scheduled).`;
    await notifyUser(context, sender, text);
  },
});

/** The `beforeSend` hook can reject or change the content. */
async function reviewedContent(services: Services, message: ScheduledMessage): Promise<string> {
  const { sender_id, content, recipient_ids } = message;
  if (!services.options.hooks.beforeSend) return content;
  const sender = await services.storage.read((tx) => tx.users.byId(sender_id));
  // Sending fails for a deactivated sender anyway, so do not call the hook.
  if (!sender?.is_active) return content;
  const user_ids = [...new Set([sender_id, ...recipient_ids])].sort((a, b) => a - b);
  return contentAfterHooks(services, { kind: 'scheduled', ...proposedPlace(message, user_ids), content }, sender);
}

/**
 * Messages to send later. They are checked when they are created, and again when they are sent. A message that cannot
 * be sent stays in the list as failed, until its sender sets a new time.
 */
export const scheduledMessages = defineFeature({
  operations: [createScheduledMessage, editScheduledMessage, listScheduledMessages, deleteScheduledMessage],
  events: [scheduledMessageAdded, scheduledMessageUpdated, scheduledMessageRemoved],
  initialState: { scheduled_messages: ({ context }) => listScheduledMessages.run(context, {}) },
  dueWork: [scheduledDelivery],
});
