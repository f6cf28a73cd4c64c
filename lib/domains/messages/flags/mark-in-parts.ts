import type { AccountContext, ManualContext } from '../../../kernel/context.ts';
import { emitRead } from './message-flags.ts';

/** Messages marked per transaction, in one event. Other writers get their turn in between. */
const MESSAGES_PER_TRANSACTION = 2_500;
/** The first transaction marks more, because it is the only transaction of most calls. */
const FIRST_PART = 10_000;
/** Conversations per transaction. */
const MOST_CONVERSATIONS = 500;

/** The place to mark as read. If empty, all messages. */
export interface Place {
  channel_id?: number;
  conversation_id?: number;
}

/** The work that is left after a transaction. */
interface RemainingWork {
  /** Explicit unread marks after this message ID. Absent if there are none left. */
  marksAfter?: number | undefined;
  conversations: readonly number[];
  /** In the first conversation, messages after this ID are left. */
  after?: number | undefined;
  /** Conversations to mark in one statement. */
  together: number;
  /** Maximum number of messages to mark. */
  most: number;
}

/**
 * Marks all messages in a place as read, in several transactions so that other writers get their turn. `find` checks
 * access and returns the place. Returns false if `isOver` stopped it before the end.
 */
export async function markInParts(
  { transact }: Pick<ManualContext<'user'>, 'transact'>,
  find: (context: AccountContext) => Promise<Place>,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  // The first part runs in the same transaction as `find`, so that most calls are one transaction.
  let { place, left } = await transact('mark', async (context) => {
    const place = await find(context);
    const { tx, actor } = context;
    const conversations =
      place.conversation_id === undefined
        ? await tx.readState.unreadConversations(actor.id, place.channel_id)
        : [place.conversation_id];
    const all = { marksAfter: 0, conversations, together: MOST_CONVERSATIONS, most: FIRST_PART };
    return { place, left: await markPart(context, place, all) };
  });
  while (left) {
    if (isOver()) return false;
    const part: RemainingWork = left;
    left = await transact('mark', (context) => markPart(context, place, part));
  }
  return true;
}

async function markPart(
  context: AccountContext,
  place: Place,
  left: RemainingWork,
): Promise<RemainingWork | undefined> {
  const { readState } = context.tx;
  const { marksAfter, most } = left;
  const [marks, marked] = await Promise.all([
    marksAfter === undefined ? undefined : readState.clearUnreadMarks(context.actor.id, place, marksAfter, most),
    markConversations(context, left),
  ]);
  const read = [...(marks?.message_ids ?? []), ...marked.message_ids];
  await emitRead(
    context,
    read.sort((one, other) => one - other),
  );
  return marks?.after_id === undefined && marked.left.conversations.length === 0
    ? undefined
    : { ...marked.left, marksAfter: marks?.after_id, most: MESSAGES_PER_TRANSACTION };
}

type LeftConversations = Pick<RemainingWork, 'conversations' | 'after' | 'together'>;

/** Marks as many of the first conversations as the limits allow. */
async function markConversations(
  { tx, actor }: AccountContext,
  { conversations, after, together, most }: RemainingWork,
): Promise<{ message_ids: readonly number[]; left: LeftConversations }> {
  const some = conversations.slice(0, together);
  const rest = conversations.slice(some.length);
  const [first] = some;
  if (first === undefined) return { message_ids: [], left: { conversations, after, together } };
  if (some.length === 1) {
    const part = await tx.readState.markConversationPart(actor.id, first, after ?? 0, most);
    const isDone = part.after_id === undefined;
    const isLittle = isDone && part.message_ids.length < MESSAGES_PER_TRANSACTION / 4;
    const left = { conversations: isDone ? rest : conversations, after: part.after_id };
    return { message_ids: part.message_ids, left: { ...left, together: isLittle ? 4 : together } };
  }
  const whole = await tx.readState.markConversationsRead(actor.id, some, most);
  if (!whole) {
    return { message_ids: [], left: { conversations, after, together: Math.max(1, Math.floor(some.length / 4)) } };
  }
  const isLittle = whole.length < MESSAGES_PER_TRANSACTION / 4;
  const left = {
    conversations: rest,
    after,
    together: isLittle ? Math.min(MOST_CONVERSATIONS, together * 4) : together,
  };
  return { message_ids: whole, left };
}
