import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { topicForClient } from '../message-view.ts';

const added = v.object({
  operation: describe(v.picklist(['add', 'remove']), 'Same as `op`, for older clients.'),
  flag: describe(v.string(), '`read`, `starred` or `collapsed`.'),
  messages: describe(v.array(v.number()), 'Message IDs.'),
  all: describe(v.boolean(), 'Always false: `messages` is the complete list.'),
});

type Added = v.InferOutput<typeof added>;

export const flagsAdded = defineEvent('update_message_flags/add', {
  summary: 'One of your flags was set on messages.',
  fields: added.entries,
  lookUp: { movedMessages: 'messages' },
  // The list can be as long as a topic. Then it is not in the log but looked up.
  forClient({ messages = [], ...event }: Omit<Added, 'messages'> & Partial<Pick<Added, 'messages'>>) {
    return { ...event, messages };
  },
});

const messageDetails = v.object({
  type: v.picklist(['stream', 'private']),
  mentioned: describe(v.optional(v.literal(true)), 'The message mentions you, directly or with a wildcard mention.'),
  stream_id: describe(v.optional(v.number()), 'For channel messages.'),
  topic: describe(v.optional(v.string()), 'For channel messages.'),
  user_ids: describe(v.optional(v.array(v.number())), 'For direct messages: all participants except you.'),
});

/** Details of messages that became unread, by message ID. */
export type MessageDetails = Record<string, v.InferOutput<typeof messageDetails>>;

const removed = v.object({
  ...added.entries,
  message_details: describe(
    v.optional(v.record(v.string(), messageDetails)),
    'Messages that became unread, by ID, so that clients need not fetch them.',
  ),
});

export const flagsRemoved = defineEvent('update_message_flags/remove', {
  summary: 'One of your flags was cleared on messages.',
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
