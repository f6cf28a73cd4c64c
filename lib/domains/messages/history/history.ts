import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, id } from '../../../base/schemas.ts';
import { TimeSlice } from '../../../base/time-slice.ts';
import { strictHtml } from '../../../markdown/html.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { shownTopic } from '../../../rules/topics.ts';
import type { Edit } from '../../../storage/interface/edits.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import { editHistory } from '../listing/show-messages.ts';
import { editHistoryEntry, messageViewParams, withStrictContent } from '../message-view.ts';
import { htmlDiffer } from './html-diff.ts';

const editSnapshotObject = v.object({
  ...editHistoryEntry.entries,
  topic: describe(v.string(), 'Topic after the edit.'),
  content: describe(v.string(), 'Markdown after the edit.'),
  rendered_content: v.string(),
  content_html_diff: v.optional(v.string()),
});

export const getMessageHistory = defineOperation({
  name: 'messages.history',
  http: 'GET /messages/{message_id}/history',
  summary: "Get a message's edit history",
  description:
    'Oldest entry first. The first entry is the original message. If there are more than 250 edits or several megabytes, only the newest edits are listed, and the first entry is the message before them. The organization can limit the history to moves, or turn it off.',
  example: { message_id: 7 },
  access: 'user',
  params: {
    message_id: id,
    allow_empty_topic_name: messageViewParams.allow_empty_topic_name,
    strict_content: messageViewParams.strict_content,
  },
  result: v.object({ message_history: v.array(editSnapshotObject) }),
  extent: () => 'large',
  async run(context, { message_id, allow_empty_topic_name, strict_content }) {
    const { tx, organization } = context;
    const message = await context.viewer.message(message_id);
    const policy = organizationSetting(organization, 'message_edit_history_visibility_policy');
    if (policy === 'none') throw new BadRequest('This organization does not show edit history.');
    const newest = { characters: FETCHED_CHARACTERS, newest: FETCHED_EDITS };
    const edits = (await tx.edits.ofMessages([message], newest)).get(message.id) ?? [];
    const snapshots = await editSnapshots(message, edits, { contents: policy === 'all', strict_content });
    if (message.channel_id === null) return { message_history: snapshots };
    const topic = (name: string) => (allow_empty_topic_name ? name : shownTopic(name, organization));
    return {
      message_history: snapshots.map((snapshot) => ({
        ...snapshot,
        topic: topic(snapshot.topic),
        ...(snapshot.prev_topic === undefined ? {} : { prev_topic: topic(snapshot.prev_topic) }),
      })),
    };
  },
});

/** Only this many edits are listed, the newest. */
const MAX_EDITS = 250;
/** One more than listed, twice: an edit that also moved the whole topic is two rows, of which one is listed. */
const FETCHED_EDITS = 2 * MAX_EDITS + 1;
/** Characters per response. An edit can take several times the HTML of a message. */
const MAX_CHARACTERS = 4_000_000;
/** Higher than `MAX_CHARACTERS`, so that the last listed edit still has its old content. */
const FETCHED_CHARACTERS = MAX_CHARACTERS + 2_000_000;

type Snapshot = v.InferOutput<typeof editSnapshotObject>;

/**
 * The versions of a message, original first, derived backwards from the current version. Without `contents`, lists only
 * moves, and every version has the current content. If there are too many edits or characters, lists the newest; the
 * first entry is then the version before them.
 */
async function editSnapshots(
  message: PlacedMessage,
  edits: readonly Edit[],
  options: { contents: boolean; strict_content: boolean },
) {
  const htmlDiff = htmlDiffer();
  const turns = new TimeSlice();
  let { topic, content } = message;
  let rendered_content = options.strict_content ? strictHtml(message.rendered_content) : message.rendered_content;
  const snapshots: Snapshot[] = [];
  let size = content.length + rendered_content.length;
  const unlisted = edits.at(-MAX_EDITS - 1);
  let first = unlisted
    ? { timestamp: unlisted.timestamp, user_id: unlisted.editor_id }
    : { timestamp: message.timestamp, user_id: message.sender_id };
  for (const { topic: _, ...entry } of editHistory(edits.slice(-MAX_EDITS), options)) {
    const change = options.strict_content ? withStrictContent(entry) : entry;
    const { timestamp, user_id, prev_topic, prev_stream, prev_content, prev_rendered_content } = change;
    if (size > MAX_CHARACTERS) {
      first = { timestamp, user_id };
      break;
    }
    const isEdited = prev_content !== undefined && prev_rendered_content !== undefined;
    if (!isEdited && prev_topic === undefined && prev_stream === undefined) continue;
    const snapshot: Snapshot = { topic, content, rendered_content, ...change };
    topic = prev_topic ?? topic;
    if (isEdited) {
      snapshot.content_html_diff = htmlDiff(prev_rendered_content, rendered_content);
      content = prev_content;
      rendered_content = prev_rendered_content;
    }
    snapshots.push(snapshot);
    size += Object.values(snapshot).join('').length;
    // Each diff can be slow.
    if (turns.isOver()) await turns.next();
  }
  snapshots.push({ topic, content, rendered_content, ...first });
  return snapshots.reverse();
}
