import type { ReadContext } from '../../../access/context.ts';
import { visibleUserIds } from '../../../access/users.ts';
import { groupBy } from '../../../base/lists.ts';
import { TimeSlice } from '../../../base/time-slice.ts';
import type { User } from '../../../model/users.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isBot } from '../../../rules/roles.ts';
import { resolveToggle } from '../../../rules/topics.ts';
import type { Edit } from '../../../storage/interface/edits.ts';
import type { PlacedMessage } from '../../../storage/interface/messages.ts';
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
  context: ReadContext,
  reader: User,
  ids: readonly number[],
  options: MessageViewOptions,
): Promise<MessageObject[]> {
  if (ids.length === 0) return [];
  const { tx, organization } = context;
  const [messages, channels, people, flags, reacted, submessages, visible] = await Promise.all([
    tx.messages.byIds(ids),
    tx.channels.ofMessages(ids),
    tx.users.ofMessages(ids),
    tx.readState.flagsOf(reader.id, ids),
    tx.reactions.of(ids),
    tx.submessages.of(ids),
    visibleUserIds(context, reader),
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
  const policy = organizationSetting(organization, 'message_edit_history_visibility_policy');
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
