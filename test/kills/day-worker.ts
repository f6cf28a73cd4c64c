import { openChat, smtp, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';

/** A process that does the work that is due at the times that its parent sends, until it is killed. */
export interface DayWorkerOptions {
  database: string;
  schema?: string;
  mailServer: string;
}

const { database, schema, mailServer } = JSON.parse(process.argv[2] as string) as DayWorkerOptions;
let now = 0;
const chat = await openChat({
  storage: schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 3 }),
  clock: { now: () => now, after: () => () => undefined },
  baseUrl: 'https://chat.example.com',
  mail: smtp({ url: mailServer, from: 'chat@example.com', timeoutMs: 5_000 }),
  outgoingWebhooks: { allowPrivateAddresses: ['127.0.0.1'] },
  logger: { debug() {}, info() {}, warn: () => undefined, error: (_, text) => process.send?.({ failure: text }) },
});
process.on('message', (message: { now: number }) => {
  now = message.now;
  chat.runDue().then(
    () => process.send?.({ done: true }),
    (error: unknown) => process.send?.({ failure: String(error), done: true }),
  );
});
process.send?.({ done: true });
