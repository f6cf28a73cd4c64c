import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { strictHtml } from '../../../markdown/html.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { topicLinkObject, withTopicsFor } from '../message-view.ts';

const updated = v.object({
  user_id: describe(v.nullable(v.number()), 'User who made the change.'),
  rendering_only: describe(
    v.boolean(),
    'True if the user changed nothing: the server added previews of links, or erased the name of an account. Such messages do not count as edited. If only previews changed, the fields `orig_content` and `orig_rendered_content` are absent.',
  ),
  message_id: describe(v.number(), 'The edited message, or the message that the move started from.'),
  message_ids: describe(v.array(v.number()), 'IDs of all edited or moved messages, ascending.'),
  flags: describe(v.array(v.string()), 'Your flags on `message_id` after the change.'),
  edit_timestamp: describe(v.number(), 'UNIX time in seconds.'),
  stream_id: describe(v.optional(v.number()), 'Channel before the change. Absent for direct messages.'),
  stream_name: describe(v.optional(v.string()), 'Name of this channel.'),
  new_stream_id: describe(v.optional(v.number()), 'New channel. Without a subscription, the messages count as read.'),
  propagate_mode: describe(
    v.optional(v.picklist(['change_one', 'change_later', 'change_all'])),
    'Which part of the topic moved. Absent if nothing moved.',
  ),
  orig_subject: describe(v.optional(v.string()), 'Topic before the move. Absent if nothing moved.'),
  subject: describe(v.optional(v.string()), 'New topic, if the topic changed.'),
  topic_links: describe(v.optional(v.array(topicLinkObject)), 'Links that linkifiers find in `subject`.'),
  orig_content: describe(
    v.optional(v.string()),
    'Markdown before the edit. This and the next fields are absent if the content was not edited.',
  ),
  orig_rendered_content: v.optional(v.string()),
  content: v.optional(v.string()),
  rendered_content: v.optional(v.string()),
  is_me_message: v.optional(v.boolean()),
});

type Updated = v.InferOutput<typeof updated>;
/** The event in the log. `flags` differ per user and `message_ids` can be long, so delivery looks both up. */
export type MessageUpdate = Omit<Updated, 'flags' | 'message_ids'> & Partial<Pick<Updated, 'flags' | 'message_ids'>>;

export const messageUpdated = defineEvent('update_message', {
  summary: "A message's content was edited, or messages were moved to another topic or channel.",
  fields: updated.entries,
  inRooms: ({ stream_id, new_stream_id = stream_id }: MessageUpdate, { channels }) => {
    const [isBefore, isAfter] = [stream_id, new_stream_id].map((id) => id !== undefined && channels.has(id));
    return isBefore === isAfter ? isAfter === true : 'start over';
  },
  lookUp: { movedMessages: 'message_ids', flagsOf: ({ message_id }: MessageUpdate) => message_id },
  forClient({ flags = [], message_ids = [], ...event }: MessageUpdate, client) {
    // `historical` follows from the place, so clients get it only with flags that the user has set.
    const shown = flags.join() === 'read,historical' ? ['read'] : flags;
    const content = client.options.client_capabilities.strict_content ? strictContent(event) : {};
    return withTopicsFor(client, { ...event, ...content, flags: shown, message_ids }, ['orig_subject', 'subject']);
  },
});

function strictContent({ orig_rendered_content: before, rendered_content: after }: Partial<Updated>) {
  return {
    ...(before === undefined ? {} : { orig_rendered_content: strictHtml(before) }),
    ...(after === undefined ? {} : { rendered_content: strictHtml(after) }),
  };
}

const deleted = v.object({
  message_ids: describe(
    v.optional(v.array(v.number())),
    'IDs in ascending order. Only for clients with `bulk_message_deletion`.',
  ),
  message_id: describe(v.optional(v.number()), 'For other clients, which get one event per message.'),
  message_type: v.picklist(['stream', 'private']),
  stream_id: describe(v.optional(v.number()), 'Channel of the messages. Absent for direct messages.'),
  topic: describe(v.optional(v.string()), 'Topic of the messages. Absent for direct messages.'),
});

type Deleted = Omit<v.InferOutput<typeof deleted>, 'message_id'>;

export const messagesDeleted = defineEvent('delete_message', {
  summary: 'Messages were deleted, or moved to a place that you cannot read. Older clients get one event per message.',
  fields: deleted.entries,
  inRooms: ({ stream_id }, { channels }) => stream_id !== undefined && channels.has(stream_id),
  lookUp: { movedMessages: 'message_ids' },
  forClient({ message_ids = [], ...event }: Deleted, client) {
    const place = withTopicsFor(client, event, ['topic']);
    if (client.options.client_capabilities.bulk_message_deletion) return { ...place, message_ids };
    return message_ids.map((message_id) => ({ ...place, message_id }));
  },
});

export function deletionOf(messages: readonly PlacedMessage[]) {
  const message_ids = messages.map(({ id }) => id);
  const [first] = messages;
  if (!first || first.channel_id === null) return messagesDeleted({ message_ids, message_type: 'private' });
  return messagesDeleted({ message_ids, message_type: 'stream', stream_id: first.channel_id, topic: first.topic });
}
