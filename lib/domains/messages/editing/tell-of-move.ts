import type { AccountContext } from '../../../kernel/context.ts';
import type { Moved } from './move.ts';
import type { Reach } from './move-audience.ts';
import type { MovePlan } from './move-plan.ts';

/** For whoever is not subscribed to the new channel nothing is unread there, whether they had read it or not. */
export function tellStrangers({ emit }: AccountContext, moved: Moved, reach: Reach): void {
  if (reach.strangers.length === 0) return;
  const event = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', all: false };
  const audience = { users: reach.strangers };
  if (moved.movedBy === undefined) emit({ audience, event: { ...event, messages: moved.ids } });
  else emit({ audience, event, movedBy: moved.movedBy });
}

/** Whoever cannot see moved messages any more finds them deleted, and keeps no flags on them. */
export async function tellBlind(
  { tx, emit }: AccountContext,
  plan: MovePlan,
  moved: Moved,
  reach: Reach,
): Promise<void> {
  const event = {
    type: 'delete_message',
    message_type: 'stream',
    stream_id: plan.from.channel.id,
    topic: plan.from.conversation.topic,
  };
  if (reach.blind.length > 0) {
    await tx.flags.forget(reach.blind, moved.conversation.id, moved.ids);
    const audience = { users: reach.blind };
    if (moved.movedBy === undefined) emit({ audience, event: { ...event, message_ids: moved.ids } });
    else emit({ audience, event, movedBy: moved.movedBy });
  }
  const alike = new Map<string, { users: number[]; message_ids: number[] }>();
  for (const [user, message_ids] of reach.partlyBlind) {
    const key = message_ids.join();
    const group = alike.get(key);
    if (group) group.users.push(user);
    else alike.set(key, { users: [user], message_ids });
  }
  for (const { users, message_ids } of alike.values()) {
    await tx.flags.forget(users, moved.conversation.id, message_ids);
    emit({ audience: { users }, event: { ...event, message_ids } });
  }
}
