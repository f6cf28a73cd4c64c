import { membersOf } from '../../access/group-members.ts';
import type { ReadContext } from '../../kernel/context.ts';

import type { PlacedMessage } from '../../storage/storage.ts';
import type { Mentions } from './message-content.ts';

/** Flags that a message got from its mentions. */
export interface MentionFlags {
  /** On everybody's message; not repeated below for those with nothing else. */
  flagsOfAll: readonly string[];
  /** All of a user's flags, where they are not those of everybody. */
  flagsByUser: ReadonlyMap<number, readonly string[]>;
}

export const NOBODY_MENTIONED: MentionFlags = { flagsOfAll: [], flagsByUser: new Map() };

/** Flags the message for those mentioned who can see it. */
export async function flagMentions(
  scope: ReadContext,
  message: Pick<PlacedMessage, 'id' | 'conversation_id' | 'sender_id'>,
  { users, groups, wildcards }: Mentions,
): Promise<MentionFlags> {
  const { flags, conversations } = scope.tx;
  const named = new Set([...users, ...(groups.length > 0 ? await membersOf(scope, groups) : [])]);
  const mentioned = await flags.setForReaders(message.id, [...named], 'mentioned');
  let some: number[] = [];
  if (wildcards.channel) await flags.setForReaders(message.id, 'all', 'wildcard_mentioned');
  else if (wildcards.topic) {
    const voices = await conversations.voices(message.conversation_id);
    some = await flags.setForReaders(message.id, [...voices, message.sender_id], 'wildcard_mentioned');
  }
  const flagsOfAll = wildcards.channel ? ['wildcard_mentioned'] : [];
  const flagsByUser = new Map<number, string[]>(mentioned.map((id) => [id, ['mentioned', ...flagsOfAll]]));
  for (const id of some) flagsByUser.set(id, [...(flagsByUser.get(id) ?? []), 'wildcard_mentioned']);
  return { flagsOfAll, flagsByUser };
}
