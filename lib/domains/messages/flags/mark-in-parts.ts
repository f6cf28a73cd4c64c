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
  const { place, conversations } = await transact('read', async (context) => {
    const place = await find(context);
    if (place.conversation_id !== undefined) return { place, conversations: [place.conversation_id] };
    return { place, conversations: await context.tx.readState.unreadConversations(context.actor.id, place.channel_id) };
  });
  let left: Left | undefined = { marksAfter: 0, conversations, together: MOST_CONVERSATIONS, most: FIRST_PART };
  while (left) {
    const part: Left = left;
    left = await transact('mark', (context) => markPart(context, place, part));
    if (left && isOver()) return false;
  }
  return true;
}

async function markPart(context: AccountContext, place: Place, left: Left): Promise<Left | undefined> {
  const { tx, actor } = context;
  const read: number[] = [];
  let { marksAfter, conversations, after, together } = left;
  const { most } = left;
  if (marksAfter !== undefined) {
    const marks = await tx.readState.clearUnreadMarks(actor.id, place, marksAfter, most);
    read.push(...marks.message_ids);
    marksAfter = marks.after_id;
  }
  if (marksAfter === undefined && conversations.length > 0) {
    const some = conversations.slice(0, together);
    const whole = some.length > 1 ? await tx.readState.markConversationsRead(actor.id, some, most) : undefined;
    const [first] = some;
    if (whole) {
      read.push(...whole);
      conversations = conversations.slice(some.length);
      if (whole.length < PART / 4) together = Math.min(MOST_CONVERSATIONS, together * 4);
    } else if (some.length === 1 && first !== undefined) {
      const part = await tx.readState.markConversationPart(actor.id, first, after ?? 0, most);
      read.push(...part.message_ids);
      after = part.after_id;
      if (after === undefined) conversations = conversations.slice(1);
      if (after === undefined && part.message_ids.length < PART / 4) together = 4;
    } else together = Math.max(1, Math.floor(some.length / 4));
  }
  read.sort((one, other) => one - other);
  await emitRead(context, read);
  return marksAfter === undefined && conversations.length === 0
    ? undefined
    : { marksAfter, conversations, after, together, most: PART };
}
