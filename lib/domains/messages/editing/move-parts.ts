import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { isFree } from './move.ts';
import type { MovePlan, PartsBefore } from './move-plan.ts';

/** Messages that one transaction moves, since each is some rows: others write in between. */
export const MOST_AT_ONCE = 2_500;
/** Where readers have read both places by turns, a message may be a row for each of them: so few are tried, too. */
const FEWEST_AT_ONCE = 500;

/**
 * The newest messages of a move that are to go first, in a transaction of their own; undefined where the rest can go
 * at once. The message that was named stays for the end: as long as it is there, the move can be planned again.
 */
export async function nextPart(context: AccountContext, plan: MovePlan, most: number): Promise<MovePlan | undefined> {
  const { tx, actor } = context;
  const { message, from } = plan;
  if (await isFree(context, plan)) return undefined;
  const query = { viewer: actor.id, conversations: [from.conversation.id] };
  const all = plan.ids ?? (await tx.messages.fetchIds(query, Number.MAX_SAFE_INTEGER, 'before', most + 1));
  if (all.length <= most) return undefined;
  const ids = all.slice(-most).filter((id) => id !== message.id);
  return {
    ...plan,
    mode: 'change_later',
    ids,
    first_id: ids[0] as number,
    last_id: ids.at(-1) as number,
  };
}

/** How many are tried where so many were too much. */
export function fewer(most: number): number {
  if (most > FEWEST_AT_ONCE) return FEWEST_AT_ONCE;
  throw new BadRequest(
    'These messages cannot be moved in one request: too many users have read parts of both topics. Move fewer messages, or move them to a new topic.',
  );
}

/** Somebody else moved the message while the rest of its topic was on the way. */
export function movedMeanwhile({ messages }: PartsBefore): BadRequest {
  return new BadRequest(
    `Another user moved the message during this request. ${messages} messages of its topic were moved before that, the other messages were not moved.`,
  );
}
