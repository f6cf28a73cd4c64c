import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { topicForClient } from '../empty-topic.ts';

const added = v.object({
  operation: v.picklist(['add', 'remove']),
  flag: v.string(),
  messages: v.array(v.number()),
  all: v.boolean(),
});

type Added = v.InferOutput<typeof added>;

export const flagsAdded = defineEvent('update_message_flags/add', {
  summary: 'Messages have a flag of the reader now.',
  fields: added.entries,
  lookUp: { movedMessages: 'messages' },
  // The list may be as long as a topic: then it is looked up.
  forClient: (event: Omit<Added, 'messages'> & Partial<Pick<Added, 'messages'>>) => event as Added,
});

const messageDetails = v.object({
  type: v.picklist(['stream', 'private']),
  mentioned: v.optional(v.literal(true)),
  stream_id: v.optional(v.number()),
  topic: v.optional(v.string()),
  user_ids: v.optional(v.array(v.number())),
});

export type MessageDetails = v.InferOutput<typeof messageDetails>;

const removed = v.object({
  ...added.entries,
  /** Of messages that became unread: what a client must know of them without fetching them, by id. */
  message_details: v.optional(v.record(v.string(), messageDetails)),
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
