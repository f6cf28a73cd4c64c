import { setTimeout as sleep } from 'node:timers/promises';
import { openChat, pushRelay, sqlite } from '../../lib/index.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { Phone } from '../domains/push/phone.ts';

/**
 * A process that registers phones for its user and sends them to the relay, until it is killed. It writes `+ number`
 * before the request and `= number` after the acknowledgement.
 */
export interface RegistrantOptions {
  database: string;
  schema?: string;
  /** Maximum phones per user. */
  users: number[];
  relay: { url: string; id: string; key: string };
  relayKey: string;
}

const AT_ONCE = 4;

const { database, schema, users, relay, relayKey } = JSON.parse(process.argv[2] as string) as RegistrantOptions;
const storage = schema === undefined ? sqlite(database) : postgres(database, { schema, poolSize: 4 });
const logger = { debug() {}, info() {}, warn() {}, error: report };
const chat = await openChat({ storage, logger, pushRelay: pushRelay(relay) });
chat.start();

for (let n = 0; n < users.length; n += AT_ONCE) {
  await Promise.all(users.slice(n, n + AT_ONCE).map(registerOne));
  await sleep(10);
}
// The worker has time until the process is killed.
await sleep(60_000);

async function registerOne(user: number): Promise<void> {
  const phone = new Phone();
  say(`+ ${phone.push_account_id}`);
  await chat.as(user).push.register(phone.registration(relayKey));
  say(`= ${phone.push_account_id}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function report(data: object, message: string): void {
  const { error } = data as { error?: Error };
  say(`! ${message}: ${(error?.stack ?? '').replaceAll('\n', ' | ')}`);
}
