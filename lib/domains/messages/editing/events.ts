import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { topicForClient } from '../empty-topic.ts';

const updated = v.object({
  user_id: v.nullable(v.number()),
  rendering_only: v.boolean(),
  message_id: v.number(),
  message_ids: v.array(v.number()),
  flags: v.array(v.string()),
  edit_timestamp: v.number(),
  stream_id: v.optional(v.number()),
  new_stream_id: v.optional(v.number()),
  propagate_mode: v.optional(v.picklist(['change_one', 'change_later', 'change_all'])),
  orig_subject: v.optional(v.string()),
  subject: v.optional(v.string()),
  topic_links: v.optional(v.array(v.object({ url: v.string(), text: v.string() }))),
  orig_content: v.optional(v.string()),
  orig_rendered_content: v.optional(v.string()),
  content: v.optional(v.string()),
  rendered_content: v.optional(v.string()),
  is_me_message: v.optional(v.boolean()),
});

type Updated = v.InferOutput<typeof updated>;
/** The flags are each reader's own, and the list may be as long as a topic: both are looked up. */
type StoredUpdate = Omit<Updated, 'flags' | 'message_ids'> & Partial<Pick<Updated, 'flags' | 'message_ids'>>;

export const messageUpdated = defineEvent('update_message', {
  summary: "A message's content was edited, or messages were moved to another topic or channel.",
  fields: updated.entries,
  lookUp: { movedMessages: 'message_ids', flagsOf: ({ message_id }: StoredUpdate) => message_id },
  forClient(event: StoredUpdate, client) {
    const { orig_subject, subject } = event;
    return {
      ...(event as Updated),
      ...(orig_subject === undefined ? {} : { orig_subject: topicForClient(orig_subject, client) }),
      ...(subject === undefined ? {} : { subject: topicForClient(subject, client) }),
    };
  },
});

const deleted = v.object({
  message_ids: v.optional(v.array(v.number())),
  message_id: v.optional(v.number()),
  message_type: v.picklist(['stream', 'private']),
  stream_id: v.optional(v.number()),
  topic: v.optional(v.string()),
});

type Deleted = Omit<v.InferOutput<typeof deleted>, 'message_id'>;

export const messagesDeleted = defineEvent('delete_message', {
  summary: 'Messages were deleted, or went where the reader may not follow. Older clients get one event for each.',
  fields: deleted.entries,
  lookUp: { movedMessages: 'message_ids' },
  forClient({ message_ids = [], message_type, stream_id, topic }: Deleted, client) {
    const place = {
      message_type,
      ...(stream_id === undefined ? {} : { stream_id }),
      ...(topic === undefined ? {} : { topic: topicForClient(topic, client) }),
    };
    if (client.options.client_capabilities.bulk_message_deletion) return { ...place, message_ids };
    return message_ids.map((message_id) => ({ ...place, message_id }));
  },
});
