import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chat, openChat, type Storage, sqlite } from '../../../lib/index.ts';
import { answer } from './answering.ts';
import { type Populated, type Population, populate } from './population.ts';
import { fillTopic } from './topic-population.ts';

/** An organization in which a user searches everything while others send small reads. */

let chat: Chat;
let populated: Populated;

async function start(given: Population & { database: string; messages: number; topics: number }) {
  const storage: Storage = sqlite(given.database, { durability: 'relaxed' });
  chat = await openChat({ storage });
  populated = await populate(chat, storage, given);
  const [channel] = populated.channels as [number];
  const people = populated.people.slice(0, 20);
  const messages = Math.floor(given.messages / given.topics);
  for (let n = 0; n < given.topics; n++) await fillTopic(storage, { channel, topic: `watch ${n}`, messages, people });
}

/** Milliseconds of the 99th percentile of small reads. One starts every few milliseconds. */
async function read({ reads, isScanned }: { reads: number; isScanned: boolean }) {
  const { messages } = chat.as(populated.people[1] as number);
  const [channel] = populated.channels as [number];
  let isOver = false;
  const scanning = isScanned ? scanUntil(() => isOver) : undefined;
  if (scanning) await sleep(100);
  const times: number[] = [];
  const under: Promise<void>[] = [];
  for (let n = 0; n < reads; n++) {
    under.push(
      (async () => {
        const begun = performance.now();
        const narrow = [
          { operator: 'channel', operand: channel },
          { operator: 'topic', operand: `watch ${n % 10}` },
        ];
        await messages.list({ anchor: 'newest', num_before: 20, narrow });
        times.push(performance.now() - begun);
      })(),
    );
    await sleep(5);
  }
  await Promise.all(under);
  isOver = true;
  await scanning;
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
}

async function scanUntil(isOver: () => boolean): Promise<void> {
  const { messages } = chat.as(populated.people[0] as number);
  while (!isOver())
    await messages.list({ anchor: 'newest', num_before: 100, narrow: [{ operator: 'has', operand: 'image' }] });
}

answer({ start, read });
