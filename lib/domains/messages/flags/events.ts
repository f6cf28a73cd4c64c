import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { topicForClient } from '../message-view.ts';

const added = v.object({
  operation: describe(v.picklist(['add', 'remove']), 'As `op`; older clients read it.'),
  flag: describe(v.string(), 'read, starred or collapsed.'),
  messages: describe(v.array(v.number()), 'Their IDs.'),
  all: describe(v.boolean(), 'Always false: the messages are listed, however many they are.'),
});

type Added = v.InferOutput<typeof added>;

export const flagsAdded = defineEvent('update_message_flags/add', {
  summary: 'Messages have a flag of the reader now.',
  fields: added.entries,
  lookUp: { movedMessages: 'messages' },
  // The list may be as long as a topic: then it is looked up.
  forClient({ messages = [], ...event }: Omit<Added, 'messages'> & Partial<Pick<Added, 'messages'>>) {
    return { ...event, messages };
  },
});

const messageDetails = v.object({
  type: v.picklist(['stream', 'private']),
  mentioned: describe(v.optional(v.literal(true)), 'The reader is mentioned in it, alone or with everybody.'),
  stream_id: describe(v.optional(v.number()), 'Of a channel message.'),
  topic: describe(v.optional(v.string()), 'Of a channel message.'),
  user_ids: describe(v.optional(v.array(v.number())), 'Of a direct message: everybody taking part but the reader.'),
});

/** What a client must know of messages that became unread, without fetching them; by message id. */
export type MessageDetails = Record<string, v.InferOutput<typeof messageDetails>>;

const removed = v.object({
  ...added.entries,
  message_details: describe(
    v.optional(v.record(v.string(), messageDetails)),
    'Of messages that became unread, by ID: what a client must know of them without fetching them.',
  ),
});

export const flagsRemoved = defineEvent('update_message_flags/remove', {
  summary: 'Messages have a flag of the reader no more.',
  fields: removed.entries,
  forClient(event: v.InferOutput<typeof removed>, client) {
    const { message_details } = event;
    if (!message_details || client.options.client_capabilities.empty_topic_name) return event;
    const shown = Object.entries(message_details).map(([id, details]) => [
      id,
      details.topic === undefined ? details : { ...details, topic: topicForClient(details.topic, client) },
    ]);
    return { ...event, message_details: Object.fromEntries(shown) };
  },
});
