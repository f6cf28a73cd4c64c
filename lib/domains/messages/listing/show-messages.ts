import type { ReadContext } from '../../../kernel/context.ts';

import { organizationSetting } from '../../../rules/organization-settings.ts';
import type { Edit, PlacedMessage, User } from '../../../storage/storage.ts';
import { editHistory, lastMoved } from '../edit-history.ts';
import { type MessageObject, type MessageViewOptions, messageView, sharedMessage } from '../message-view.ts';

/** Characters of former contents in one answer: the newest edits have them, and the history operation has all. */
const MAX_FORMER_CONTENT = 1_000_000;

/** Messages as a reader asked for them, in a fixed number of statements; access has been checked. */
export async function showMessages(
  { tx, organization }: ReadContext,
  reader: User,
  messages: readonly PlacedMessage[],
  options: MessageViewOptions,
): Promise<MessageObject[]> {
  if (messages.length === 0) return [];
  const directIds = [...new Set(messages.filter((one) => one.channel_id === null).map((one) => one.conversation_id))];
  const channelIds = [...new Set(messages.map((one) => one.channel_id).filter((one) => one !== null))];
  const conversations = directIds.length > 0 ? await tx.conversations.byIds(directIds) : [];
  const participants = new Map(conversations.map((conversation) => [conversation.id, conversation.participants]));
  const channels = channelIds.length > 0 ? await tx.channels.byIds(channelIds) : [];
  const names = new Map(channels.map((channel) => [channel.id, channel.name]));
  const userIds = new Set(messages.map((message) => message.sender_id));
  for (const ids of participants.values()) for (const id of ids) userIds.add(id);
  const users = new Map((await tx.users.byIds([...userIds])).map((user) => [user.id, user]));
  const flags = await tx.readState.flagsOf(
    reader.id,
    messages.map((message) => message.id),
  );
  const reactions = new Map<number, MessageObject['reactions']>(messages.map((message) => [message.id, []]));
  for (const { message_id, ...reaction } of await tx.reactions.of([...reactions.keys()])) {
    reactions.get(message_id)?.push(reaction);
  }
  const edits = await tx.edits.ofMessages(messages.filter(isTouched), { characters: MAX_FORMER_CONTENT });
  const policy = organizationSetting(organization, 'message_edit_history_visibility_policy');
  const emptyTopic = organizationSetting(organization, 'empty_topic_display_name');
  return messages.map((message) => {
    const place =
      message.channel_id === null
        ? { participants: (participants.get(message.conversation_id) ?? []).map((id) => users.get(id) as User) }
        : { stream_id: message.channel_id, channel_name: names.get(message.channel_id) ?? '' };
    const shared = sharedMessage(message, users.get(message.sender_id) as User, place, organization);
    shared.reactions = reactions.get(message.id) ?? [];
    if (isTouched(message)) Object.assign(shared, changes(edits.get(message.id) ?? [], policy));
    return messageView(shared, options, emptyTopic, flags.get(message.id) ?? []);
  });
}

/** Edited or moved at some time, by itself or with its whole topic. */
function isTouched({ last_edit_timestamp, last_moved_timestamp }: PlacedMessage): boolean {
  return last_edit_timestamp !== null || last_moved_timestamp !== null;
}

/** `edit_history` is there for everything that was ever touched, unless the organization shows nothing of it. */
function changes(edits: readonly Edit[], policy: 'all' | 'moves' | 'none'): Partial<MessageObject> {
  const last_moved_timestamp = lastMoved(edits);
  return {
    ...(last_moved_timestamp === undefined ? {} : { last_moved_timestamp }),
    ...(policy === 'none' ? {} : { edit_history: editHistory(edits, { contents: policy === 'all' }) }),
  };
}
