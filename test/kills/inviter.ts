import { setTimeout as sleep } from 'node:timers/promises';
import { openChat, smtp, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { report, say } from './telling.ts';

/**
 * A process that invites users and sends queued e-mails until it is killed. Every invitation has its own address. It
 * writes `+ address` before the request and `= address` after the acknowledgement.
 */
export interface InviterOptions {
  name: string;
  database: string;
  schema?: string;
  user: number;
  mailServer: string;
}

const CALLS = 2;
const PEOPLE = 2;

const { name, database, schema, user, mailServer } = JSON.parse(process.argv[2] as string) as InviterOptions;
const chat = await openChat({
  storage: schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 }),
  mail: smtp({ url: mailServer, from: 'chat@example.com', timeoutMs: 5_000 }),
  logger: { debug() {}, info() {}, warn: report, error: report },
});
chat.start();
const session = chat.as(user);

for (let n = 0; ; n += CALLS) {
  await Promise.all(Array.from({ length: CALLS }, (_, at) => invite(n + at)));
  await sleep(60);
}

async function invite(n: number): Promise<void> {
  const people = Array.from({ length: PEOPLE }, (_, at) => `${name}-${n}-${at}@example.com`);
  for (const address of people) say(`+ ${address}`);
  await session.invites.send({ invitee_emails: people.join(), stream_ids: [] });
  for (const address of people) say(`= ${address}`);
}
