import { allInOrder, chunked, groupBy } from '../../../base/lists.ts';
import { present } from '../../../base/present.ts';
import { defineOutboxKind } from '../../../operation/feature.ts';
import type { LeftChannel, ReadPart } from '../../../storage/interface/read-state.ts';
import type { Services, WriteContext } from '../../../viewer/context.ts';
import { flagsAdded } from './message-flags.ts';

/**
 * Leaving or archiving a channel and muting a user mark many messages as read by a rule. Clients need the IDs of these
 * messages. The change itself sends up to some thousands of IDs. More are found later in read transactions and sent in
 * parts, so that no request waits for them.
 */

const MESSAGES_PER_EVENT = 5_000;
/** Conversations, and messages of a sender, per query. */
const MAX_CONVERSATIONS = 500;
const MESSAGES_PER_TRANSACTION = 1_000;
const SUBSCRIPTIONS_PER_ITEM = 500;
const MAX_MARKS = 20_000;
/** Subscriptions whose messages are looked up before an archived channel is committed: each visits all its topics. */
const MAX_AT_ONCE = 100;

type Context = Pick<WriteContext, 'tx' | 'emit' | 'enqueue'>;
type Pair = { user_id: number; channel_id: number };

/**
 * Call it before subscriptions end. The returned function sends the messages of the ended subscriptions.
 * @param options `isLate`: look up all messages later
 */
export async function emitReadAfterLeaving(
  { tx, emit, enqueue }: Context,
  pairs: readonly Pair[],
  { isLate = false } = {},
) {
  const unread = isLate ? undefined : await tx.readState.unreadInChannels(pairs, MESSAGES_PER_EVENT);
  const read = [...(await tx.readState.markedInChannels(pairs)), ...(unread ?? [])];
  const left = unread ? [] : await stillSubscribed(tx, pairs);
  return (ended: readonly Pair[], floorless?: ReadonlySet<number>) => {
    const endedKeys = new Set(ended.map(keyOf));
    const isEnded = (pair: Pair) => endedKeys.has(keyOf(pair));
    for (const parts of groupBy(read.filter(isEnded), keyOf).values()) {
      const ids = new Set(parts.flatMap(({ message_ids }) => message_ids));
      emitPart(emit, present(parts[0]).user_id, ascending([...ids]));
    }
    const late = left.filter(isEnded).map((one) => (floorless?.has(one.user_id) ? { ...one, floor: 0 } : one));
    for (const some of chunked(late, SUBSCRIPTIONS_PER_ITEM)) enqueue(leftChannelsOutbox({ left: some }));
  };
}

/** Clients do not show archived channels, so nothing in them stays unread. */
export async function readArchived(context: Context, channel_id: number): Promise<void> {
  const { subscriptions } = context.tx;
  const readers = (await subscriptions.subscriberIds([channel_id])).get(channel_id) ?? [];
  const pairs = readers.map((user_id) => ({ user_id, channel_id }));
  const emitRead = await emitReadAfterLeaving(context, pairs, { isLate: pairs.length > MAX_AT_ONCE });
  emitRead(pairs, new Set(await subscriptions.readAll(channel_id)));
}

async function stillSubscribed(tx: Context['tx'], pairs: readonly Pair[]): Promise<LeftChannel[]> {
  const users = [...new Set(pairs.map((pair) => pair.user_id))];
  const channels = [...new Set(pairs.map((pair) => pair.channel_id))];
  const to_id = await tx.messages.maxId();
  return (await tx.subscriptions.pairs(users, channels))
    .filter(({ active }) => active)
    .map(({ user_id, channel_id, floor }) => ({ user_id, channel_id, floor, to_id }));
}

/**
 * Sends the messages that became read because the user muted the sender in this transaction.
 * @param since messages up to this ID became read when the user muted the sender before
 */
export async function emitReadAfterMuting(context: WriteContext, userId: number, senderId: number, since: number) {
  const { tx, emit, enqueue, services } = context;
  const to_id = await tx.messages.maxId();
  const marks = await tx.readState.clearMarksFrom(userId, senderId, MAX_MARKS);
  const page = await tx.readState.unreadFrom(userId, senderId, { after_id: since, to_id }, MESSAGES_PER_TRANSACTION);
  const read = ascending([...new Set([...marks, ...page.message_ids])]);
  emitPart(emit, userId, read);
  if (page.after_id !== undefined) {
    enqueue(mutedUserOutbox({ user_id: userId, sender_id: senderId, after_id: page.after_id, to_id }));
  }
  await allInOrder(services.consequences.read.map((react) => react(context, userId, read)));
}

export const leftChannelsOutbox = defineOutboxKind<{ left: LeftChannel[] }>('unread-left', {
  concurrency: 1,
  async perform(services, { left }) {
    for (const channel of left) {
      const conversations = await services.storage.read((tx) => tx.readState.conversationsLeft(channel));
      for (const some of chunked(conversations, MAX_CONVERSATIONS)) await sendConversations(services, channel, some);
    }
  },
});

/** Sends the conversations together, or each half of them if their messages do not fit into an event. */
async function sendConversations(
  services: Services,
  left: LeftChannel,
  conversations: readonly number[],
): Promise<void> {
  const found = await services.storage.read((tx) => tx.readState.unreadLeft(left, conversations, MESSAGES_PER_EVENT));
  if (found) return sendRead(services, left.user_id, found);
  if (conversations.length === 1) return sendConversation(services, left, present(conversations[0]));
  const middle = Math.floor(conversations.length / 2);
  await sendConversations(services, left, conversations.slice(0, middle));
  await sendConversations(services, left, conversations.slice(middle));
}

/** Sends a conversation in parts: it can have more unread messages than fit into an event. */
async function sendConversation(services: Services, left: LeftChannel, conversation: number): Promise<void> {
  const query = { viewer: left.user_id, conversations: [conversation] };
  for (let floor = left.floor; floor < left.to_id; ) {
    const { unread, to_id } = await services.storage.read(async (tx) => {
      const ids = await tx.messages.fetchIds(query, floor, 'after', MESSAGES_PER_EVENT);
      const to_id = Math.min(ids[MESSAGES_PER_EVENT - 1] ?? left.to_id, left.to_id);
      const part = { ...left, floor, to_id };
      return { unread: await tx.readState.unreadLeft(part, [conversation], MESSAGES_PER_EVENT), to_id };
    });
    await sendRead(services, left.user_id, unread ?? []);
    floor = to_id;
  }
}

type MutedSender = { user_id: number; sender_id: number; after_id: number; to_id: number };

export const mutedUserOutbox = defineOutboxKind<MutedSender>('unread-muted', {
  concurrency: 1,
  async perform(services, { user_id, sender_id, after_id, to_id }) {
    for (let after: number | undefined = after_id; after !== undefined; ) {
      const range: { after_id: number; to_id: number } = { after_id: after, to_id };
      const page: ReadPart = await services.storage.read((tx) =>
        tx.readState.unreadFrom(user_id, sender_id, range, MESSAGES_PER_TRANSACTION),
      );
      await sendRead(services, user_id, page.message_ids);
      after = page.after_id;
    }
  },
});

/** Skips messages marked as unread since. The effect `mark` makes concurrent marking wait, so its event is last. */
async function sendRead(services: Services, userId: number, messages: readonly number[]): Promise<void> {
  if (messages.length === 0) return;
  await services.asSystem('mark', async ({ tx, emit }) => {
    const marked = new Set(await tx.readState.markedAmong(userId, messages));
    const read = messages.filter((id) => !marked.has(id));
    emitPart(emit, userId, read);
  });
}

function emitPart(emit: Context['emit'], userId: number, messages: number[]): void {
  if (messages.length === 0) return;
  emit({ users: [userId] }, flagsAdded({ operation: 'add', flag: 'read', messages, all: false }));
}

const keyOf = ({ user_id, channel_id }: Pair) => `${user_id} ${channel_id}`;
const ascending = (ids: number[]) => ids.sort((a, b) => a - b);
