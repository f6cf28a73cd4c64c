import { isGranted, membershipFor } from '../../access/membership.ts';
import type { ReadContext } from '../../kernel/context.ts';
import { BadRequest, StreamWildcardMentionNotAllowed, TopicWildcardMentionNotAllowed } from '../../kernel/errors.ts';

import { hasPermission } from '../../rules/permissions.ts';
import type { Conversation, User } from '../../storage/storage.ts';
import { groupPermission } from '../user-groups/groups/view.ts';
import type { Mentions } from './render-content.ts';

/** Everybody may mention up to this many at once. */
const FEW = 15;

/** Refuses mentions of many, and of groups, that the sender may not make there (reference 6.1). */
export async function checkMentions(
  scope: ReadContext,
  sender: User,
  { wildcards, groups }: Mentions,
  { id, channel_id }: Pick<Conversation, 'id' | 'channel_id'>,
): Promise<void> {
  if (channel_id !== null && (wildcards.channel || wildcards.topic)) {
    const mayMentionMany = await isGranted(scope, sender, 'can_mention_many_users_group');
    if (wildcards.channel && !mayMentionMany) {
      const subscribers = (await scope.tx.subscriptions.subscriberIds([channel_id])).get(channel_id) ?? [];
      if (subscribers.length > FEW) throw new StreamWildcardMentionNotAllowed();
    }
    if (wildcards.topic && !mayMentionMany) {
      const voices = new Set([...(await scope.tx.conversations.voices(id)), sender.id]);
      if (voices.size > FEW) throw new TopicWildcardMentionNotAllowed();
    }
  }
  if (groups.length === 0) return;
  const values = groups.map((group) => groupPermission(group, 'can_mention_group'));
  const membership = await membershipFor(scope, sender, values);
  for (const [at, group] of groups.entries()) {
    if (!hasPermission(values[at] ?? 0, membership, { guests: true })) {
      throw new BadRequest(`You are not allowed to mention the group "${group.name}"; a silent mention is possible.`);
    }
  }
}
