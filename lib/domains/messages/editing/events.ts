import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import { topicForClient, topicLinkObject } from '../message-view.ts';

const updated = v.object({
  user_id: describe(v.nullable(v.number()), 'Who made the change.'),
  rendering_only: describe(v.boolean(), 'Always false: nothing but the content, the topic or the channel changes.'),
  message_id: describe(v.number(), 'The message that was edited, or with which the move began.'),
  message_ids: describe(v.array(v.number()), 'Every message that was changed or moved, ascending.'),
  flags: describe(v.array(v.string()), 'Flags that the reader now has on `message_id`.'),
  edit_timestamp: describe(v.number(), 'UNIX time, seconds.'),
  stream_id: describe(v.optional(v.number()), 'Channel in which the messages were; absent for direct messages.'),
  new_stream_id: describe(v.optional(v.number()), 'Channel to which they moved, if it is another one.'),
  propagate_mode: describe(
    v.optional(v.picklist(['change_one', 'change_later', 'change_all'])),
    'How much of the topic moved; absent when nothing moved.',
  ),
  orig_subject: describe(v.optional(v.string()), 'Topic in which they were; absent when nothing moved.'),
  subject: describe(v.optional(v.string()), 'Topic to which they moved, if it is another one.'),
  topic_links: describe(v.optional(v.array(topicLinkObject)), 'What linkifiers find in `subject`.'),
  orig_content: describe(v.optional(v.string()), 'Markdown before the edit; this and the rest when it was edited.'),
  orig_rendered_content: v.optional(v.string()),
  content: v.optional(v.string()),
  rendered_content: v.optional(v.string()),
  is_me_message: v.optional(v.boolean()),
});

type Updated = v.InferOutput<typeof updated>;
/** As it is emitted: the flags are each reader's own, and the list may be as long as a topic. Both are looked up. */
export type MessageUpdate = Omit<Updated, 'flags' | 'message_ids'> & Partial<Pick<Updated, 'flags' | 'message_ids'>>;

export const messageUpdated = defineEvent('update_message', {
  summary: "A message's content was edited, or messages were moved to another topic or channel.",
  fields: updated.entries,
  lookUp: { movedMessages: 'message_ids', flagsOf: ({ message_id }: MessageUpdate) => message_id },
  forClient({ flags = [], message_ids = [], orig_subject, subject, ...event }: MessageUpdate, client) {
    return {
      ...event,
      flags,
      message_ids,
      ...(orig_subject === undefined ? {} : { orig_subject: topicForClient(orig_subject, client) }),
      ...(subject === undefined ? {} : { subject: topicForClient(subject, client) }),
    };
  },
});

const deleted = v.object({
  message_ids: describe(v.optional(v.array(v.number())), 'With the capability `bulk_message_deletion`; ascending.'),
  message_id: describe(v.optional(v.number()), 'Without it: an event for each message.'),
  message_type: v.picklist(['stream', 'private']),
  stream_id: describe(v.optional(v.number()), 'Channel in which they were; absent for direct messages.'),
  topic: describe(v.optional(v.string()), 'Likewise.'),
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
