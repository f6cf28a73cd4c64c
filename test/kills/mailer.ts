import { setTimeout as sleep } from 'node:timers/promises';
import { openChat, smtp, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { report, say } from './telling.ts';

/**
 * A process that sends direct messages to users who are away, and e-mails them, until it is killed. Every message has
 * its own text. It writes `+ text` before the request and `= text` after the acknowledgement.
 */
export interface MailerOptions {
  name: string;
  database: string;
  schema?: string;
  user: number;
  /** Groups of recipients, each for so many `lives`. */
  to: number[][];
  lives: number;
  mailServer: string;
}

const { name, database, schema, user, to, lives, mailServer } = JSON.parse(process.argv[2] as string) as MailerOptions;
const chat = await openChat({
  storage: schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 }),
  mail: smtp({ url: mailServer, from: 'chat@example.com', timeoutMs: 5_000 }),
  logger: { debug() {}, info() {}, warn: report, error: report },
});
chat.start();
const session = chat.as(user);
const life = Number(name.split('-')[1]);
const recipients = to[Math.floor(life / lives)] ?? [];

for (let n = 0; ; n++) {
  await Promise.all(recipients.map((recipient) => send(recipient, `${name}-${n}-${recipient}`)));
  // An e-mail shows 20 messages, so that a period must have less.
  await sleep(300);
}

async function send(recipient: number, content: string): Promise<void> {
  say(`+ ${content}`);
  await session.messages.send({ type: 'direct', to: [recipient], content });
  say(`= ${content}`);
}
