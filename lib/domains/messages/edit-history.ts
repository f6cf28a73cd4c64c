import * as v from 'valibot';
import { resolveToggle } from '../../rules/topics.ts';
import type { Edit } from '../../storage/storage.ts';

/** What one change did to a message (reference 8.5). */
export const editHistoryEntry = v.object({
  user_id: v.nullable(v.number()),
  timestamp: v.number(),
  prev_topic: v.optional(v.string()),
  topic: v.optional(v.string()),
  prev_stream: v.optional(v.number()),
  stream: v.optional(v.number()),
  prev_content: v.optional(v.string()),
  prev_rendered_content: v.optional(v.string()),
});

export type EditHistoryEntry = v.InferOutput<typeof editHistoryEntry>;

/**
 * Newest first. Without `contents` only moves are told: a message that was edited and never moved has an empty
 * list. An edit whose former content was left in the store says only who edited and when.
 */
export function editHistory(edits: readonly Edit[], options: { contents: boolean }): EditHistoryEntry[] {
  const entries: EditHistoryEntry[] = [];
  for (const edit of [...edits].reverse()) {
    const { prev_topic, topic, prev_channel_id, channel_id, prev_content, prev_rendered_content } = edit;
    const move = {
      ...(prev_topic !== null && topic !== null ? { prev_topic, topic } : {}),
      ...(prev_channel_id !== null && channel_id !== null ? { prev_stream: prev_channel_id, stream: channel_id } : {}),
    };
    const isEdited = options.contents && prev_content !== null && prev_rendered_content !== null;
    const change = isEdited ? { ...move, prev_content, prev_rendered_content } : move;
    if (options.contents || Object.keys(change).length > 0) {
      entries.push({ user_id: edit.editor_id, timestamp: edit.timestamp, ...change });
    }
  }
  return entries;
}

/** When it last went elsewhere; marking a topic as resolved is no move. */
export function lastMoved(edits: readonly Edit[]): number | undefined {
  return edits.findLast(
    ({ channel_id, prev_topic, topic }) =>
      channel_id !== null || (prev_topic !== null && topic !== null && !resolveToggle(prev_topic, topic)),
  )?.timestamp;
}
