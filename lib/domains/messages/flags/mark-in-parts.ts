import { inParts, type LongCall, type Progress } from '../../../operation/operation.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { emitRead } from './message-flags.ts';

/** Messages marked per transaction, in one event. Other writers get their turn in between. */
const MESSAGES_PER_TRANSACTION = 2_500;
/** The first transaction marks more, because it is the only transaction of most calls. */
const FIRST_PART = 10_000;
const MAX_CONVERSATIONS = 500;

/** What to mark as read. If empty, all messages. */
interface MarkScope {
  channel_id?: number;
  conversation_id?: number;
}

interface RemainingWork {
  scope: MarkScope;
  /** Explicit unread marks after this message ID. Absent if there are none left. */
  marksAfter?: number | undefined;
  conversations: readonly number[];
  /** In the first conversation, messages after this ID are left. */
  after?: number | undefined;
  /** Conversations to mark in one statement. */
  together: number;
  most: number;
}

/** `find` checks access and returns what to mark. Returns false if the time was over before the end. */
export async function markInParts(
  call: LongCall,
  find: (context: AccountContext) => Promise<MarkScope>,
  limits: { maxMs?: number } = {},
): Promise<boolean> {
  // The first part runs in the same transaction as `find`, so that most calls are one transaction.
  const doPart = async (context: AccountContext, before: (RemainingWork & Progress) | undefined) =>
    markPart(context, before ?? (await allOf(context, await find(context))));
  return (await inParts(call, 'mark', doPart, limits)).isComplete;
}

async function allOf({ tx, actor }: AccountContext, scope: MarkScope): Promise<RemainingWork> {
  const conversations =
    scope.conversation_id === undefined
      ? await tx.readState.unreadConversations(actor.id, scope.channel_id)
      : [scope.conversation_id];
  return { scope, marksAfter: 0, conversations, together: MAX_CONVERSATIONS, most: FIRST_PART };
}

async function markPart(context: AccountContext, left: RemainingWork): Promise<RemainingWork & Progress> {
  const { readState } = context.tx;
  const { scope, marksAfter, most } = left;
  const [marks, marked] = await Promise.all([
    marksAfter === undefined ? undefined : readState.clearUnreadMarks(context.actor.id, scope, marksAfter, most),
    markConversations(context, left),
  ]);
  const read = [...(marks?.message_ids ?? []), ...marked.message_ids].sort((a, b) => a - b);
  const isComplete = marks?.after_id === undefined && marked.left.conversations.length === 0;
  const isAll = isComplete && Object.keys(scope).length === 0 && (await readState.isAllRead(context.actor.id));
  await emitRead(context, read, { isAll });
  return { ...marked.left, scope, marksAfter: marks?.after_id, most: MESSAGES_PER_TRANSACTION, isComplete };
}

async function markConversations({ tx, actor }: AccountContext, work: RemainingWork) {
  const { conversations, after, together, most } = work;
  const some = conversations.slice(0, together);
  const rest = conversations.slice(some.length);
  const [first] = some;
  if (first === undefined) return { message_ids: [], left: work };
  const { message_ids, after_id } =
    some.length === 1
      ? await tx.readState.markConversationPart(actor.id, first, after ?? 0, most)
      : { message_ids: await tx.readState.markConversationsRead(actor.id, some, most), after_id: undefined };
  if (!message_ids) {
    return { message_ids: [], left: { conversations, after, together: Math.max(1, Math.floor(some.length / 4)) } };
  }
  if (after_id !== undefined) return { message_ids, left: { conversations, after: after_id, together } };
  const isLittle = message_ids.length < MESSAGES_PER_TRANSACTION / 4;
  const next = isLittle ? Math.min(MAX_CONVERSATIONS, together * 4) : together;
  return { message_ids, left: { conversations: rest, after: undefined, together: next } };
}
