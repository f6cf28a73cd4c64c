import type { Storage, Transaction } from '../../../lib/storage/interface/storage.ts';
import { MESSAGE_TEXT } from '../requests.ts';

export interface TopicPlan {
  channel: number;
  topic: string;
  messages: number;
  /** The senders, in turn. */
  people: readonly number[];
}

const GROUP = 2_000;
const SECOND = 1_700_000_000;
const THUMB = { reaction_type: 'unicode_emoji', emoji_code: '1f44d', emoji_name: '+1' } as const;

/**
 * A typical topic: every twentieth message is edited and every tenth has reactions. Some subscribers have read all,
 * some half, some with gaps, some have marked messages unread. Returns the message IDs, ascending.
 */
export async function fillTopic(storage: Storage, { channel, topic, messages, people }: TopicPlan): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < messages; from += GROUP) {
    await storage.write(async (tx) => {
      // A write may be repeated.
      ids.length = from;
      const { id: conversation_id } = await tx.conversations.ensureTopic(channel, topic);
      for (let n = from; n < Math.min(from + GROUP, messages); n++) {
        const sender = people[n % people.length] as number;
        const { id } = await tx.messages.create({
          conversation_id,
          sender_id: sender,
          content: MESSAGE_TEXT,
          rendered_content: `<p>${MESSAGE_TEXT}</p>`,
          timestamp: SECOND + n,
          client: 'Bench',
          is_me_message: false,
          read_by_sender: true,
        });
        ids.push(id);
        if (n % 20 === 0) await edit(tx, { id, conversation_id, sender });
        if (n % 10 === 0) await react(tx, id, people);
      }
    });
  }
  return ids;
}

/** Ranges of a topic that the subscribers have read, in each form that is stored differently. */
export async function readTopic(storage: Storage, people: readonly number[], ids: readonly number[]): Promise<void> {
  const half = ids[ids.length >> 1] as number;
  for (const [at, user] of people.entries()) {
    await storage.write(async (tx) => {
      const conversation = (await tx.messages.byId(half))?.conversation_id as number;
      const kind = at % 4;
      const readUpTo = (to_id: number) =>
        tx.readState.markRangeRead(user, { conversation_id: conversation, from_id: ids[0] as number, to_id });
      if (kind === 0) await readUpTo(half);
      if (kind === 1) await tx.readState.markRead(user, everyOther(ids.slice(-GROUP), 50));
      if (kind > 1) await readUpTo(ids.at(-1) as number);
      if (kind === 3) {
        await tx.readState.markUnread(user, ids.slice(-200));
        await tx.flags.set(user, ids.slice(0, 50), 'starred');
      }
    });
  }
}

async function edit(
  tx: Transaction,
  { id, conversation_id, sender }: Record<'id' | 'conversation_id' | 'sender', number>,
) {
  const content = `${MESSAGE_TEXT} (The wick came.)`;
  const timestamp = SECOND * 2;
  await tx.messages.edit(id, { content, rendered_content: `<p>${content}</p>`, is_me_message: false, timestamp });
  await tx.edits.add({
    message_id: id,
    conversation_id,
    prev_conversation_id: conversation_id,
    up_to_message_id: null,
    part_of: null,
    editor_id: sender,
    timestamp,
    prev_content: MESSAGE_TEXT,
    prev_rendered_content: `<p>${MESSAGE_TEXT}</p>`,
    prev_topic: null,
    topic: null,
    prev_channel_id: null,
    channel_id: null,
  });
}

async function react(tx: Transaction, message_id: number, people: readonly number[]): Promise<void> {
  for (const user_id of people.slice(0, 2)) await tx.reactions.add({ message_id, user_id, ...THUMB });
}

/** Blocks of a length, every second one left out. */
function everyOther(ids: readonly number[], length: number): number[] {
  return ids.filter((_, at) => Math.floor(at / length) % 2 === 0);
}
