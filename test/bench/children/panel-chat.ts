import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { type Chat, localFiles, openChat, type Session, sqlite } from '../../../lib/index.ts';
import { transportOf } from '../../../lib/internal.ts';
import { serve } from '../../../server/index.ts';
import { answer } from './answering.ts';
import { populate } from './population.ts';

/** The bundled server with its web app, and users who write into one topic. */

const PLENTY = { seconds: 60, max: 1_000_000_000 };
const UNREACHED = {
  api_by_user: PLENTY,
  api_by_ip: PLENTY,
  waiting_queues_by_user: PLENTY.max,
  waiting_queues_by_ip: PLENTY.max,
};
const TOPIC = 'the lamp';
const OTHER_TOPICS = ['oil', 'fog'];
/** Messages of one user in a row. */
const IN_A_ROW = 3;
const SECONDS_BETWEEN = 60;

/** Typical messages: most are short, some have a list, code, a link, an emoji or a mention. */
const TEXTS = [
  'Lit at dusk, all is well.',
  'The wick of the second lamp burns unevenly. I trimmed it twice, and it still smokes when the wind is in the west.',
  'Thanks :+1:',
  'Have a look at https://example.com/tides/today before the boat comes.',
  '* oil for a month\n* two mantles\n* **one** pane of glass',
  '@**Head Keeper** the fog horn needs you. The log says *04:10*.',
  '```js\nconst turns = seconds / 7;\nlog("turned", turns);\n```',
  '> Who has the night watch?\n\nI have. Wake me at six if the mist has not lifted by then.',
];

let chat: Chat;
let server: Server;
let people: number[];
let channel: number;
let said = 0;

interface Given {
  database: string;
  /** Accounts beside the reader, who owns the organization and is subscribed to each channel. */
  people: number;
  channels: readonly number[];
  /** In the topic that the reader opens. */
  messages: number;
  /** In each of two other topics of each channel. */
  otherMessages?: number;
}

/** @returns the address, the conversation, and the login of the reader */
async function start({ database, messages, otherMessages = 0, ...population }: Given) {
  const storage = sqlite(database);
  chat = await openChat({ storage, files: localFiles(`${database}-uploads`) });
  const populated = await populate(chat, storage, population);
  people = populated.people.slice(0, population.channels[0]);
  channel = populated.channels[0] as number;
  const samples: number[] = [];
  for (let n = 0; n < TEXTS.length; n++) samples.push((await say()).id);

  const conversations = await storage.write(async (tx) => {
    const counts: [id: number, messages: number][] = [];
    if (otherMessages > 0)
      for (const id of populated.channels)
        for (const topic of OTHER_TOPICS)
          counts.push([(await tx.conversations.ensureTopic(id, topic)).id, otherMessages]);
    counts.push([(await tx.conversations.ensureTopic(channel, TOPIC)).id, messages]);
    return counts;
  });
  const file = new Database(database);
  // A hundred thousand by the operation would take longer than the benchmark.
  const copy = file.prepare(`
    INSERT INTO messages (conversation_id, sender_id, content, rendered_content, folded_content, timestamp, client,
      is_me_message, read_by_sender)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
    SELECT :conversation, :person + (i / ${IN_A_ROW}) % 20, s.content, s.rendered_content, s.folded_content,
      :now - ${SECONDS_BETWEEN} * (:count - i), 'Bench', 0, 1
    FROM n JOIN messages s ON s.id = :sample + n.i % ${TEXTS.length} ORDER BY i`);
  const [person, sample, now] = [people[0], samples[0], Math.floor(Date.now() / 1_000)];
  file.transaction(() => {
    for (const [conversation, count] of conversations) copy.run({ conversation, count, person, sample, now });
  })();
  file.exec('ANALYZE');
  file.close();
  await markAllRead(chat.as(populated.owner));
  await chat.as(populated.owner).settings.edit({ enter_sends: true });

  ({ server } = await serve(chat, { port: 0, rateLimits: UNREACHED }));
  const { port } = server.address() as AddressInfo;
  const { delivery_email } = await chat.as(populated.owner).users.me();
  return {
    url: `http://127.0.0.1:${port}`,
    fragment: `#narrow/channel/${channel}/topic/${encodeURIComponent(TOPIC).replaceAll('%', '.')}`,
    channel,
    topic: TOPIC,
    email: delivery_email,
    key: await chat.apiKeyOf(populated.owner),
  };
}

async function markAllRead(session: Session): Promise<void> {
  while (!(await session.messages.markAllRead()).complete);
}

async function say(suffix = '') {
  const n = said++;
  const sender = people[Math.floor(n / IN_A_ROW) % people.length] as number;
  const content = (TEXTS[n % TEXTS.length] as string) + suffix;
  return chat.as(sender).messages.send({ type: 'channel', to: channel, topic: TOPIC, content });
}

/**
 * Messages one after another, as fast as they can be stored.
 *
 * @returns the ID of the last one
 */
async function sayMany({ count }: { count: number }) {
  let last = 0;
  const lanes = Array.from({ length: 20 }, async (_, lane) => {
    for (let n = lane; n < count; n += 20) last = Math.max(last, (await say()).id);
  });
  await Promise.all(lanes);
  return last;
}

/**
 * One message.
 *
 * @returns its ID, and when sending began, in milliseconds since the epoch
 */
async function sayOne() {
  const at = performance.timeOrigin + performance.now();
  return { id: (await say()).id, at };
}

/** Browser connections, and their requests that wait for events. */
async function open() {
  const connections = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { connections, waiting: transportOf(chat).engine.hub.waiting };
}

answer({ start, sayMany, sayOne, open });
