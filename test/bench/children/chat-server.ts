import { performance } from 'node:perf_hooks';
import pino from 'pino';
import { gatheredLines } from '../../../cli/serve/log.ts';
import { type Clock, systemClock } from '../../../lib/adapters/clock.ts';
import { type Chat, localFiles, openChat, type Storage, sqlite } from '../../../lib/index.ts';
import { transportOf } from '../../../lib/internal.ts';
import { Metrics, type ServeOptions } from '../../../server/index.ts';
import { answer, cpuTime, residentBytes } from './answering.ts';
import { listen } from './listening.ts';
import { keysOf, type Populated, type Population, populate } from './population.ts';

/** The clock runs, and a benchmark may advance it. */
let passedMs = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + passedMs };

let chat: Chat;
let storage: Storage;
let populated: Populated;

/** E-mails of the worker, with the option `mails`. */
let mailed = 0;

async function start(given: Population & { database: string; schema?: string; isLogged?: boolean; mails?: boolean }) {
  await open(given);
  populated = await populate(chat, storage, given);
  return { ...populated, port: await listen(chat, given.isLogged ? watched(`${given.database}.log`) : {}) };
}

/** One more process over a database that another one has filled. */
async function join(given: { database: string; schema?: string }) {
  await open(given);
  return { port: await listen(chat) };
}

async function open(given: { database: string; schema?: string; mails?: boolean }): Promise<void> {
  if (given.schema === undefined) storage = sqlite(given.database);
  else {
    const { postgres } = await import('../../../lib/storage/postgres/postgres.ts');
    storage = postgres(given.database, { schema: given.schema });
  }
  const mail = { send: async () => void mailed++, close: async () => {} };
  const files = localFiles(`${given.database}-uploads`);
  chat = await openChat({ storage, clock, files, ...(given.mails ? { mail } : {}) });
}

/** Logs to a file, as `chatctl serve` does. */
function watched(path: string): ServeOptions {
  return { logger: pino({ level: 'info' }, gatheredLines(path).stream), metrics: new Metrics() };
}

interface Sends {
  channel: number;
  count: number;
  content?: string;
}

/** Milliseconds of one message through the library, the mean of `count` in a row. */
async function send({ channel, count, content = 'Lit at dusk, all is well.' }: Sends) {
  const session = chat.as(populated.owner);
  const start = performance.now();
  for (let n = 0; n < count; n++) {
    await session.messages.send({
      type: 'channel',
      to: channel,
      topic: 'the lamp',
      content,
    });
  }
  return (performance.now() - start) / count;
}

/** A queue for each of the first accounts, as requests that wait. */
async function register({ count, registration }: { count: number; registration?: object }) {
  const queues: string[] = [];
  for (const user of populated.people.slice(0, count)) {
    const { queue_id } = await chat.as(user).register({ ...registration, fetch_event_types: [] });
    queues.push(queue_id);
  }
  return queues;
}

/** Milliseconds to write the same response without other work. */
async function stringify({ what }: { what: 'users' | 'register' | 'presences' }) {
  const session = chat.as(populated.owner);
  const fetch = {
    users: () => session.users.list({ client_gravatar: true }),
    register: () => session.register(),
    presences: () => session.presence.list(),
  };
  const value = await fetch[what]();
  const times: number[] = [];
  for (let n = 0; n < 12; n++) {
    const start = performance.now();
    const text = JSON.stringify(value);
    if (text.length > 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[6];
}

let isGone = false;

/** Changes an account, so that every list of users changes. */
async function change() {
  const user_id = populated.people.at(-1) as number;
  const { users } = chat.as(populated.owner);
  await (isGone ? users.reactivate({ user_id }) : users.deactivate({ user_id }));
  isGone = !isGone;
}

async function passTime({ milliseconds }: { milliseconds: number }) {
  passedMs += milliseconds;
}

/** The first accounts report their presence. */
async function report({ count }: { count: number }) {
  for (const user of populated.people.slice(0, count)) {
    await chat.as(user).presence.report({ status: 'active', ping_only: true });
  }
  await chat.runDue();
}

/** One more report, a minute later. */
async function changePresence() {
  await passTime({ milliseconds: 60_000 });
  await chat.as(populated.people[0] as number).presence.report({ status: 'active', ping_only: true });
}

answer({
  start,
  join,
  keys: ({ count }: { count: number }) => keysOf(chat, populated, count),
  send,
  register,
  stringify,
  change,
  passTime,
  runDue: () => chat.runDue(),
  mailed: () => mailed,
  report,
  changePresence,
  commits: () => storage.commits,
  cpu: cpuTime,
  memory: residentBytes,
  residentNow: () => process.memoryUsage.rss(),
  waiting: () => transportOf(chat).engine.hub.waiting,
});
