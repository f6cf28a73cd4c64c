import { performance } from 'node:perf_hooks';
import type { Clock } from '../../../lib/adapters/clock.ts';
import { type Chat, openChat, type Storage, sqlite } from '../../../lib/index.ts';
import { answer, residentBytes } from './answering.ts';

/** Messages due in one second among many that are not, compared with as many that are sent. */

const FAR = 4_102_444_800;
const FILL = 1_000;

let now = Date.UTC(2030, 0, 1);
const clock: Clock = { now: () => now, after: () => () => undefined };
let chat: Chat;
let storage: Storage;
let user: number;
let channel: number;

async function start(given: { database: string; schema?: string; pending: number }): Promise<void> {
  if (given.schema === undefined) storage = sqlite(given.database);
  else {
    const { postgres } = await import('../../../lib/storage/postgres/postgres.ts');
    storage = postgres(given.database, { schema: given.schema });
  }
  chat = await openChat({ storage, clock });
  const { user_id } = await chat.createOrganization({
    name: 'Bench',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  user = user_id;
  channel = (await chat.as(user).channels.create({ name: 'general', subscribers: [user] })).id;
  await schedule(given.pending, FAR);
}

async function schedule(count: number, scheduled_delivery_timestamp: number): Promise<void> {
  for (let from = 0; from < count; from += FILL) {
    await storage.write(async (tx) => {
      for (let n = from; n < Math.min(count, from + FILL); n++) {
        await tx.scheduledMessages.create({
          sender_id: user,
          channel_id: channel,
          recipient_ids: [],
          topic: `topic ${n % 10}`,
          client: 'bench',
          content: text(n),
          rendered_content: `<p>${text(n)}</p>`,
          read_by_sender: false,
          scheduled_delivery_timestamp,
        });
      }
    });
  }
}

const text = (n: number) => `Lit at dusk, **all** is well: ${n}.`;

/** Milliseconds from the second at which `count` are due until the last of them is sent. */
async function delivered({ count }: { count: number }): Promise<number> {
  await schedule(count, Math.floor(now / 1000) + 1);
  // Other due work is done before.
  await chat.runDue();
  const before = await sent();
  now += 1_000;
  const start = performance.now();
  await chat.runDue();
  const milliseconds = performance.now() - start;
  const done = (await sent()) - before;
  if (done !== count) throw new Error(`${done} of ${count} were sent`);
  return milliseconds;
}

/** Milliseconds of as many calls of `messages.send`, with the same concurrency as the worker. */
async function plain({ count, atOnce }: { count: number; atOnce: number }): Promise<number> {
  const session = chat.as(user);
  const start = performance.now();
  for (let from = 0; from < count; from += atOnce) {
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - from) }, (_, at) =>
        session.messages.send({
          type: 'channel',
          to: channel,
          topic: `topic ${(from + at) % 10}`,
          content: text(from + at),
          read_by_sender: false,
        }),
      ),
    );
  }
  return performance.now() - start;
}

const sent = () => storage.read((tx) => tx.messages.maxId());

answer({ start, delivered, plain, rss: residentBytes });
