import type { AccountContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { isFree } from './move.ts';
import type { MovePlan, PartsBefore } from './move-plan.ts';

/** Messages moved per transaction. Each message is several rows, and other writers need their turn. */
export const MOST_AT_ONCE = 2_500;
/** Used if read ranges are scattered over both topics: then each message may need a row per user. */
const FEWEST_AT_ONCE = 500;

/**
 * The newest messages of a move, to be moved in their own transaction. Undefined if the rest fits into one transaction.
 * The message of the request moves last, because later parts need it to plan the move again.
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

/** The next smaller part size. Throws if there is none. */
export function fewer(most: number): number {
  if (most > FEWEST_AT_ONCE) return FEWEST_AT_ONCE;
  throw new BadRequest(
    'These messages cannot be moved in one request: too many users have read parts of both topics. Move fewer messages, or move them to a new topic.',
  );
}

/** The error if another user moves the message between two parts. */
export function movedMeanwhile({ messages }: PartsBefore): BadRequest {
  return new BadRequest(
    `Another user moved the message during this request. ${messages} messages of its topic were moved before that, the other messages were not moved.`,
  );
}
