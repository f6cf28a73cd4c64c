import * as v from 'valibot';
import { defineEvent, type EventClient } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { messageObject, messageView, type SharedMessage } from '../message-view.ts';
import { matchesNarrow } from '../queue-narrow.ts';

/** As the log keeps it: with both texts, of which each client gets what it asked for. */
export interface StoredMessageEvent {
  message: SharedMessage;
  flags: string[];
}

const emptyTopicName = ({ organization }: EventClient) => organizationSetting(organization, 'empty_topic_display_name');

export const messageSent = defineEvent('message', {
  summary: 'A message was sent.',
  fields: {
    message: messageObject,
    flags: describe(v.array(v.string()), 'Flags that the reader has on it: read, mentioned, wildcard_mentioned.'),
    local_message_id: describe(v.optional(v.string()), 'Its `local_id`; only in the queue that sent it.'),
  },
  matchesNarrow({ message, flags }: StoredMessageEvent, client) {
    const arriving = { message, flags, readerId: client.reader.id, emptyTopicDisplayName: emptyTopicName(client) };
    return matchesNarrow(client.narrow, arriving);
  },
  forClient(event: StoredMessageEvent, client) {
    const { options } = client;
    const allow_empty_topic_name = options.client_capabilities.empty_topic_name ?? false;
    const message = messageView(event.message, { ...options, allow_empty_topic_name }, emptyTopicName(client));
    return { ...event, message };
  },
});
