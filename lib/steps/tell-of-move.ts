import type { AccountContext } from '../operation.ts';
import type { Moved } from './move-messages.ts';
import type { MovePlan } from './plan-move.ts';
import type { Reach } from './reach-of-move.ts';

/** What the strangers of a move have not read among the messages; to be asked before these move. */
export async function unreadOfStrangers({ tx }: AccountContext, plan: MovePlan, reach: Reach): Promise<Map<number, number[]>> {
  const unread = await tx.readState.unreadIn(plan.from.conversation.id, reach.strangers);
  if (plan.ids === undefined) return unread;
  const moving = new Set(plan.ids);
  return new Map([...unread].map(([user, ids]) => [user, ids.filter((id) => moving.has(id))]));
}

/** For strangers the messages become read; before they are told of the move. */
export function tellStrangers({ emit }: AccountContext, unread: ReadonlyMap<number, number[]>): void {
  for (const [user, messages] of unread) {
    if (messages.length === 0) continue;
    emit({
      audience: { users: [user] },
      event: { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages, all: false },
    });
  }
}

/** Whoever cannot see moved messages any more finds them deleted, and keeps no flags on them. */
export async function tellBlind({ tx, emit }: AccountContext, plan: MovePlan, moved: Moved, reach: Reach): Promise<void> {
  const event = {
    type: 'delete_message',
    message_type: 'stream',
    stream_id: plan.from.channel.id,
    topic: plan.from.conversation.topic,
  };
  if (reach.blind.length > 0) {
    await tx.readState.forget(reach.blind, moved.conversation.id, moved.ids);
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
    await tx.readState.forget(users, moved.conversation.id, message_ids);
    emit({ audience: { users }, event: { ...event, message_ids } });
  }
}
