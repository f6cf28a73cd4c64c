import { setTimeout as sleep } from 'node:timers/promises';
import { ChatError, openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { report, say } from './telling.ts';

/**
 * A process that schedules messages for its user and sends those that are due, until it is killed. Every message has
 * its own text. It writes `+ text` before the request and `= text` after the acknowledgement.
 */
export interface SchedulerOptions {
  name: string;
  database: string;
  schema?: string;
  user: number;
  channel: number;
}

const AT_ONCE = 8;

const { name, database, schema, user, channel } = JSON.parse(process.argv[2] as string) as SchedulerOptions;
const storage = schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 });
const chat = await openChat({ storage, logger: { debug() {}, info() {}, warn() {}, error: report } });
await chat.start();
const session = chat.as(user);

for (let n = 0; ; n += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => scheduleOne(n + at).catch(forgiveDelay)));
  await sleep(40);
}

async function scheduleOne(n: number): Promise<void> {
  const content = `${name} ${n}`;
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 2 + (n % 2);
  say(`+ ${content}`);
  if (n % 3 === 0) {
    await session.scheduledMessages.create({ type: 'direct', to: [user], content, scheduled_delivery_timestamp });
  } else {
    const topic = `topic ${n % 5}`;
    await session.scheduledMessages.create({
      type: 'channel',
      to: channel,
      topic,
      content,
      scheduled_delivery_timestamp,
    });
  }
  say(`= ${content}`);
}

/** A busy machine may send the request after the due time. */
function forgiveDelay(error: unknown): void {
  if (!(error instanceof ChatError && error.code === 'BAD_REQUEST')) throw error;
}
