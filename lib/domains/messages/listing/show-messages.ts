import { groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { TimeSlice } from '../../../base/time-slice.ts';
import type { User } from '../../../model/users.ts';
import { foldSearch } from '../../../rules/fold.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot, roomsOf } from '../../../rules/roles.ts';
import { hitsIn, type Search } from '../../../rules/search.ts';
import { resolveToggle } from '../../../rules/topics.ts';
import type { Edit } from '../../../storage/interface/edits.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import {
  type EditHistoryEntry,
  type MessageObject,
  type MessageViewOptions,
  messageView,
  sharedMessage,
  withoutSender,
} from '../message-view.ts';

/** Characters of old content per response. Only the newest edits include it. `messages.history` returns more. */
const MAX_FORMER_CONTENT = 1_000_000;
/** Edits per response, for all messages together. The newest are kept. */
const MAX_EDITS = 10_000;
/** Fields of a history entry that are always present: `user_id` and `timestamp`. */
const FIXED_FIELDS = 2;

/** The API view of messages, in a fixed number of statements. The caller has checked access. */
export async function showMessages(
  context: AccountContext,
  ids: readonly number[],
  options: MessageViewOptions,
): Promise<MessageObject[]> {
  if (ids.length === 0) return [];
  const { tx, actor, organization } = context;
  const [messages, channels, people, flags, reacted, submessages, visible] = await Promise.all([
    tx.messages.byIds(ids),
    tx.channels.ofMessages(ids),
    tx.users.ofMessages(ids),
    tx.readState.flagsOf(actor.id, ids),
    tx.reactions.of(ids),
    tx.submessages.of(ids),
    context.viewer.visibleUserIds(),
  ]);
  const direct = messages.filter((message) => message.channel_id === null);
  const directIds = [...new Set(direct.map((message) => message.conversation_id))];
  const [conversations, edits] = await Promise.all([
    tx.conversations.byIds(directIds),
    tx.edits.ofMessages(messages.filter(isTouched), { characters: MAX_FORMER_CONTENT, newest: MAX_EDITS }),
  ]);
  const participants = new Map(conversations.map((conversation) => [conversation.id, conversation.participants]));
  const users = new Map(people.map((user) => [user.id, user]));
  const names = new Map(channels.map((channel) => [channel.id, channel.name]));
  const userOf = (id: number): User => {
    const user = users.get(id);
    if (!user) throw new Error(`User ${id} has sent or received a message: there must be an account.`);
    return user;
  };
  const reactions = new Map<number, MessageObject['reactions']>(messages.map(({ id }) => [id, []]));
  for (const { message_id, ...reaction } of reacted) reactions.get(message_id)?.push(reaction);
  const added = groupBy(submessages, ({ message_id }) => message_id);
  // An edit may name another channel.
  const policy = roomsOf(actor) ? 'none' : organizationSetting(organization, 'message_edit_history_visibility_policy');
  const shown: MessageObject[] = [];
  const turns = new TimeSlice();
  for (const message of messages) {
    const place =
      message.channel_id === null
        ? { participants: (participants.get(message.conversation_id) ?? []).map(userOf) }
        : { channel: { id: message.channel_id, name: names.get(message.channel_id) ?? '' } };
    const sender = userOf(message.sender_id);
    const known = sharedMessage(message, sender, place, organization);
    const isHidden = visible !== undefined && !isBot(sender) && !visible.has(sender.id);
    const shared = isHidden ? withoutSender(known, organization) : known;
    shared.reactions = reactions.get(message.id) ?? [];
    shared.submessages = added.get(message.id) ?? [];
    if (isTouched(message)) Object.assign(shared, changes(edits.get(message.id) ?? [], policy));
    shown.push(messageView(shared, options, organization, flags.get(message.id) ?? []));
    if (turns.isOver()) await turns.next();
  }
  return shown;
}

/** Whether the message was ever edited or moved, also with its whole topic. */
function isTouched({ last_edit_timestamp, last_moved_timestamp }: PlacedMessage): boolean {
  return last_edit_timestamp !== null || last_moved_timestamp !== null;
}

/**
 * Every edited or moved message has `edit_history`, with two exceptions: the organization hides it, or none of its old
 * content was loaded. Clients treat a history without changes like a message without edits.
 */
function changes(edits: readonly Edit[], policy: 'all' | 'moves' | 'none'): Partial<MessageObject> {
  const last_moved_timestamp = lastMoved(edits);
  const edit_history = policy === 'none' ? [] : editHistory(edits, { contents: policy === 'all' });
  const isShown = policy === 'moves' || edit_history.some((entry) => Object.keys(entry).length > FIXED_FIELDS);
  return {
    ...(last_moved_timestamp === undefined ? {} : { last_moved_timestamp }),
    ...(isShown ? { edit_history } : {}),
  };
}

/** Newest first. Without `contents`, lists only moves. Leaves out old content that was not loaded. */
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

/** Time of the last move. Resolving a topic is not a move. */
function lastMoved(edits: readonly Edit[]): number | undefined {
  return edits.findLast(
    ({ channel_id, prev_topic, topic }) =>
      channel_id !== null || (prev_topic !== null && topic !== null && !resolveToggle(prev_topic, topic)),
  )?.timestamp;
}

const TAG_OR_ENTITY = /<(?:"[^"]*"|[^<>"])*>|&(?:#\d+|#x[\da-f]+|[a-z]+);/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&nbsp;': '\u00a0',
};
const LETTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });
const OPEN = '<span class="highlight">';
const CLOSE = '</span>';

/** Characters of highlighted HTML per response. A highlight tag can be 30 times as long as its match. */
const MAX_MARKED = 4_000_000;

/** Highlights search matches in the texts of a response. Texts above the limit stay unchanged. */
export function searchHits(search: Search) {
  let left = MAX_MARKED;
  return {
    /** Inserts its tags only between characters, so that escaped text stays escaped. */
    mark(html: string): string {
      if (left <= 0) return html;
      const marked = markHits(html, search);
      left -= marked.length;
      return marked;
    },
  };
}

function markHits(html: string, search: Search): string {
  const { text, pieces } = readText(html);
  const hits = hitsIn(search, text).sort(([a], [b]) => a - b);
  let marked = '';
  let done = 0;
  let start = 0;
  let end = 0;
  const close = () => {
    if (end > start) marked += html.slice(done, start) + OPEN + html.slice(start, end) + CLOSE;
    done = Math.max(done, end);
  };
  let first = 0;
  for (const [from, to] of hits) {
    while (first < pieces.length && present(pieces[first]).to <= from) first++;
    for (let at = first; at < pieces.length && present(pieces[at]).from < to; at++) {
      const piece = present(pieces[at]);
      const begins = piece.isWhole ? piece.start : piece.start + Math.max(0, from - piece.from);
      const ends = piece.isWhole ? piece.end : piece.end - Math.max(0, piece.to - to);
      // A tag in between ends the highlight.
      if (begins > end) {
        close();
        start = begins;
      }
      end = Math.max(end, ends);
    }
  }
  close();
  return marked + html.slice(done);
}

/** A range of the text (`from`, `to`) and its range in the HTML (`start`, `end`). */
interface Piece {
  from: number;
  to: number;
  start: number;
  end: number;
  /** Must not be split, for example an entity. */
  isWhole: boolean;
}

/** The folded text to search, and its position in the HTML. */
function readText(html: string): { text: string; pieces: Piece[] } {
  let text = '';
  const pieces: Piece[] = [];
  const add = (folded: string, start: number, end: number, { isWhole = false } = {}) => {
    pieces.push({ from: text.length, to: text.length + folded.length, start, end, isWhole });
    text += folded;
  };
  const addRun = (start: number, end: number) => {
    const run = html.slice(start, end);
    const folded = foldSearch(run);
    if (folded.length === run.length) {
      if (run !== '') add(folded, start, end);
      return;
    }
    // Folding has changed the length, so map each letter with its accents.
    for (const { segment, index } of LETTERS.segment(run))
      add(foldSearch(segment), start + index, start + index + segment.length, { isWhole: true });
  };
  let from = 0;
  for (const { 0: piece, index } of html.matchAll(TAG_OR_ENTITY)) {
    addRun(from, index);
    from = index + piece.length;
    if (!piece.startsWith('<')) add(foldSearch(ENTITIES[piece.toLowerCase()] ?? piece), index, from, { isWhole: true });
  }
  addRun(from, html.length);
  return { text, pieces };
}
