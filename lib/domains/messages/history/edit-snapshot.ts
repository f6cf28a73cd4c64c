import * as v from 'valibot';
import type { Edit, PlacedMessage } from '../../../storage/storage.ts';
import { DiffBudget, htmlDiff } from './html-diff.ts';

/** Spec, "Message edit history snapshot". */
export const editSnapshotObject = v.object({
  topic: v.string(),
  content: v.string(),
  rendered_content: v.string(),
  timestamp: v.number(),
  user_id: v.nullable(v.number()),
  prev_topic: v.optional(v.string()),
  stream: v.optional(v.number()),
  prev_stream: v.optional(v.number()),
  prev_content: v.optional(v.string()),
  prev_rendered_content: v.optional(v.string()),
  content_html_diff: v.optional(v.string()),
});

export type EditSnapshot = v.InferOutput<typeof editSnapshotObject>;

/** What an emptied message says; a diff that leads to nothing shows nothing (reference 6.15). */
const DELETED = '(deleted)';

/**
 * The states of a message, the original first, told from the present one backwards. Without `contents`
 * only moves are told, and every state carries the present content.
 */
export function editSnapshots(
  message: PlacedMessage,
  edits: readonly Edit[],
  options: { contents: boolean },
): EditSnapshot[] {
  const budget = new DiffBudget();
  let { topic, content, rendered_content } = message;
  const snapshots: EditSnapshot[] = [];
  for (const edit of [...edits].reverse()) {
    const { timestamp, prev_content, prev_rendered_content, prev_topic, prev_channel_id, channel_id } = edit;
    const isEdited = options.contents && prev_content !== null && prev_rendered_content !== null;
    const isMoved = prev_topic !== null || channel_id !== null;
    if (!isEdited && !isMoved) continue;
    const snapshot: EditSnapshot = { topic, content, rendered_content, timestamp, user_id: edit.editor_id };
    if (prev_topic !== null) {
      snapshot.prev_topic = prev_topic;
      topic = prev_topic;
    }
    if (channel_id !== null && prev_channel_id !== null) {
      snapshot.stream = channel_id;
      snapshot.prev_stream = prev_channel_id;
    }
    if (isEdited) {
      snapshot.prev_content = prev_content;
      snapshot.prev_rendered_content = prev_rendered_content;
      snapshot.content_html_diff =
        content === DELETED ? '<div></div>' : htmlDiff(prev_rendered_content, rendered_content, budget);
      content = prev_content;
      rendered_content = prev_rendered_content;
    }
    snapshots.push(snapshot);
  }
  snapshots.push({ topic, content, rendered_content, timestamp: message.timestamp, user_id: message.sender_id });
  return snapshots.reverse();
}
