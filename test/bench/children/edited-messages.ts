import { performance } from 'node:perf_hooks';
import { type Chat, openChat, type Storage, sqlite } from '../../../lib/index.ts';
import { answer } from './answering.ts';
import { benignPair, HOSTILE } from './hostile-pairs.ts';
import { type Populated, populate } from './population.ts';

/** Messages that were edited from one rendering to another and back, and requests for their history. */

let chat: Chat;
let storage: Storage;
let populated: Populated;

async function start({ database }: { database: string }) {
  storage = sqlite(database);
  chat = await openChat({ storage });
  populated = await populate(chat, storage, { people: 1, channels: [1] });
  return Object.keys(HOSTILE);
}

/** Without a kind, the edits are ordinary. Returns the message's ID. */
function add({ kind, characters, edits }: { kind?: string; characters: number; edits: number }): Promise<number> {
  const pair = kind === undefined ? benignPair(characters) : HOSTILE[kind]?.(characters);
  if (!pair) throw new Error(`There is no kind of pair called ${kind}.`);
  const [owner, channel] = [populated.owner, populated.channels[0] as number];
  return storage.write(async (tx) => {
    const { id: conversation_id } = await tx.conversations.ensureTopic(channel, 'the log');
    const { id: message_id } = await tx.messages.create({
      conversation_id,
      sender_id: owner,
      content: 'as it is',
      rendered_content: pair[edits % 2] as string,
      timestamp: 1_700_000_000,
      client: 'Bench',
      is_me_message: false,
      read_by_sender: true,
    });
    for (let n = 0; n < edits; n++) {
      await tx.edits.add({
        message_id,
        conversation_id,
        prev_conversation_id: conversation_id,
        up_to_message_id: null,
        part_of: null,
        editor_id: owner,
        timestamp: 1_700_000_001 + n,
        prev_content: 'as it was',
        prev_rendered_content: pair[n % 2] as string,
        prev_topic: null,
        topic: null,
        prev_channel_id: null,
        channel_id: null,
      });
    }
    return message_id;
  });
}

/** Milliseconds until the history is received. */
async function history({ message }: { message: number }) {
  const { messages } = chat.as(populated.owner);
  const start = performance.now();
  await messages.history({ message_id: message });
  return performance.now() - start;
}

answer({ start, add, history });
