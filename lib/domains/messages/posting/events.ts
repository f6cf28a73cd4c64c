import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineEvent, type EventClient } from '../../../events/define-event.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { messageObject, messageView, type SharedMessage, withoutSender } from '../message-view.ts';
import { matchesNarrow } from '../queue-narrow.ts';

/** The event in the log, with Markdown and HTML. Each client gets the format it requested. */
export interface StoredMessageEvent {
  message: SharedMessage;
  flags: string[];
  /** Guests among the receivers who cannot see the sender. */
  strangers?: number[];
}

const emptyTopicName = ({ organization }: EventClient) => organizationSetting(organization, 'empty_topic_display_name');

export const messageSent = defineEvent('message', {
  summary: 'A message was sent.',
  fields: {
    message: messageObject,
    flags: describe(v.array(v.string()), 'Your flags on the message, for example `read` or `mentioned`.'),
    local_message_id: describe(
      v.optional(v.string()),
      'The `local_id` from the request. Only in the queue of the sending client.',
    ),
  },
  matchesNarrow({ message, flags }: StoredMessageEvent, client) {
    const arriving = { message, flags, readerId: client.reader.id, emptyTopicDisplayName: emptyTopicName(client) };
    return matchesNarrow(client.narrow, arriving);
  },
  forClient({ strangers, ...event }: StoredMessageEvent, client) {
    const { options, organization } = client;
    const allow_empty_topic_name = options.client_capabilities.empty_topic_name ?? false;
    const shown = strangers?.includes(client.reader.id) ? withoutSender(event.message, organization) : event.message;
    const message = messageView(shown, { ...options, allow_empty_topic_name }, emptyTopicName(client));
    return { ...event, message };
  },
});
