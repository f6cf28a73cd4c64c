import { openChat, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { report, say } from './telling.ts';

/**
 * A process that sends messages with idempotency keys until it is killed. Every process starts with the first key
 * again, as a client retries calls without a response. It writes `+ text` before the request and `= text ID` after the
 * response.
 */
export interface SenderOptions {
  name: string;
  database: string;
  schema?: string;
  user: number;
  channel: number;
}

const AT_ONCE = 8;

const { database, schema, user, channel } = JSON.parse(process.argv[2] as string) as SenderOptions;
const storage = schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 });
const chat = await openChat({ storage, logger: { debug() {}, info() {}, warn() {}, error: report } });
const { messages } = chat.as(user);

for (let n = 0; ; n += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => send(n + at)));
}

async function send(n: number): Promise<void> {
  const content = `message ${n}`;
  say(`+ ${content}`);
  const { id } = await messages.send({
    type: 'channel',
    to: channel,
    topic: 'x',
    content,
    idempotency_key: `key ${n}`,
  });
  say(`= ${content} ${id}`);
}
