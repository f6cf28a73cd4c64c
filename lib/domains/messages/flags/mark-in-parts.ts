import type { AccountContext, ManualContext } from '../../../kernel/context.ts';
import { emitRead } from './change-flags.ts';

/** Messages that one transaction marks, and tells of by one event: others write in between. */
const PART = 2_500;
/** The first one marks more: it is the only one of most calls. */
const FIRST_PART = 10_000;
/** Conversations that one transaction looks at. */
const MOST_CONVERSATIONS = 500;

/** What a call marks as read; with neither, everything. */
export interface Place {
  channel_id?: number;
  conversation_id?: number;
}

/** What is left to do after a transaction. */
interface Left {
  /** Explicit marks after this message; absent: none. */
  marksAfter?: number | undefined;
  conversations: readonly number[];
  /** Of the first conversation, what comes after this message. */
  after?: number | undefined;
  /** Conversations tried together. */
  together: number;
  /** Messages marked at most. */
  most: number;
}

/**
 * Marks everything in a place as read, in transactions that leave room for others. `find` says which place, and
 * refuses whoever may not know of it. Returns whether it is all: a call that takes too long ends with a part.
 */
export async function markInParts(
  { transact }: Pick<ManualContext<'user'>, 'transact'>,
  find: (context: AccountContext) => Promise<Place>,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  // What is found is marked at once, so that the ordinary call is one transaction.
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
    const part: Left = left;
    left = await transact('mark', (context) => markPart(context, place, part));
  }
  return true;
}

async function markPart(context: AccountContext, place: Place, left: Left): Promise<Left | undefined> {
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
    : { ...marked.left, marksAfter: marks?.after_id, most: PART };
}

type LeftConversations = Pick<Left, 'conversations' | 'after' | 'together'>;

/** Marks what it can of the first conversations. */
async function markConversations(
  { tx, actor }: AccountContext,
  { conversations, after, together, most }: Left,
): Promise<{ message_ids: readonly number[]; left: LeftConversations }> {
  const some = conversations.slice(0, together);
  const rest = conversations.slice(some.length);
  const [first] = some;
  if (first === undefined) return { message_ids: [], left: { conversations, after, together } };
  if (some.length === 1) {
    const part = await tx.readState.markConversationPart(actor.id, first, after ?? 0, most);
    const isDone = part.after_id === undefined;
    const isLittle = isDone && part.message_ids.length < PART / 4;
    const left = { conversations: isDone ? rest : conversations, after: part.after_id };
    return { message_ids: part.message_ids, left: { ...left, together: isLittle ? 4 : together } };
  }
  const whole = await tx.readState.markConversationsRead(actor.id, some, most);
  if (!whole) {
    return { message_ids: [], left: { conversations, after, together: Math.max(1, Math.floor(some.length / 4)) } };
  }
  const isLittle = whole.length < PART / 4;
  const left = {
    conversations: rest,
    after,
    together: isLittle ? Math.min(MOST_CONVERSATIONS, together * 4) : together,
  };
  return { message_ids: whole, left };
}
