import { groupMembers, isGranted, membershipFor } from '../../access/membership.ts';
import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed } from '../../kernel/errors.ts';
import { groupPermission } from '../../rules/groups.ts';
import { hasPermission } from '../../rules/permissions.ts';
import type { Conversation } from '../../storage/interface/conversations.ts';
import type { PlacedMessage } from '../../storage/interface/messages.ts';
import type { User } from '../../storage/interface/users.ts';
import type { Mentions } from './message-content.ts';

/** All users may use wildcard mentions for up to this many users. */
const MAX_UNRESTRICTED_MENTIONS = 15;

/**
 * Throws if the sender may not use the wildcard or group mentions in this conversation. Ignores silent mentions.
 */
export async function checkMentions(
  context: ReadContext,
  sender: User,
  { wildcards, groups }: Mentions,
  { id, channel_id }: Pick<Conversation, 'id' | 'channel_id'>,
): Promise<void> {
  const { tx } = context;
  if (channel_id !== null && (wildcards.channel || wildcards.topic)) {
    const mayMentionMany = await isGranted(context, sender, 'can_mention_many_users_group');
    if (wildcards.channel && !mayMentionMany) {
      const subscribers = (await tx.subscriptions.subscriberIds([channel_id])).get(channel_id) ?? [];
      if (subscribers.length > MAX_UNRESTRICTED_MENTIONS) throw new StreamWildcardMentionNotAllowed();
    }
    if (wildcards.topic && !mayMentionMany) {
      const voices = new Set([...(await tx.conversations.voices(id)), sender.id]);
      if (voices.size > MAX_UNRESTRICTED_MENTIONS) throw new TopicWildcardMentionNotAllowed();
    }
  }
  if (groups.length === 0) return;
  const values = groups.map((group) => groupPermission(group, 'can_mention_group'));
  const membership = await membershipFor(context, sender, values);
  for (const [at, group] of groups.entries()) {
    const of = { kind: 'group', id: group.id, name: group.name } as const;
    if (!hasPermission(values[at] ?? 0, membership, { guests: true, setting: 'can_mention_group', of })) {
      throw new BadRequest(
        `You are not allowed to mention the group "${group.name}". Use a silent mention instead: @_*${group.name}*`,
      );
    }
  }
}

/** Flags that a message got from its mentions. */
export interface MentionFlags {
  /** Flags of all receivers. `flagsByUser` leaves out users who have only these flags. */
  flagsOfAll: readonly string[];
  /** All flags of a user, if they differ from `flagsOfAll`. */
  flagsByUser: ReadonlyMap<number, readonly string[]>;
}

export const NOBODY_MENTIONED: MentionFlags = { flagsOfAll: [], flagsByUser: new Map() };

/** IDs of users who are mentioned directly or through a group. Some of them may not be able to see the message. */
export async function usersNamed(context: ReadContext, { users, groups }: Mentions): Promise<number[]> {
  if (groups.length === 0) return [...users];
  const ids = groups.map((group) => group.id);
  return [...new Set([...users, ...(await groupMembers(context, ids))])];
}

/** Sets the mention flags for mentioned users who can see the message. */
export async function flagMentions(
  context: ReadContext,
  message: Pick<PlacedMessage, 'id' | 'conversation_id' | 'sender_id'>,
  { wildcards }: Mentions,
  named: readonly number[],
): Promise<MentionFlags> {
  const { flags, conversations } = context.tx;
  const flagTopic = async () => {
    const voices = await conversations.voices(message.conversation_id);
    return flags.setForReaders(message.id, [...voices, message.sender_id], 'wildcard_mentioned');
  };
  const [mentioned, some] = await Promise.all([
    flags.setForReaders(message.id, named, 'mentioned'),
    wildcards.topic && !wildcards.channel ? flagTopic() : [],
    wildcards.channel && flags.setForReaders(message.id, 'all', 'wildcard_mentioned'),
  ]);
  const flagsOfAll = wildcards.channel ? ['wildcard_mentioned'] : [];
  const flagsByUser = new Map<number, string[]>(mentioned.map((id) => [id, ['mentioned', ...flagsOfAll]]));
  for (const id of some) flagsByUser.set(id, [...(flagsByUser.get(id) ?? []), 'wildcard_mentioned']);
  return { flagsOfAll, flagsByUser };
}
