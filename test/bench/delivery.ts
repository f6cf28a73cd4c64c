import type { Benchmark, Bound, Finding } from './benchmark.ts';
import type { Child } from './child.ts';
import type { Kit } from './kit.ts';
import { withPostgres } from './postgres.ts';
import { basicAuth, MARK, MESSAGE_TEXT, requestText } from './requests.ts';
import { alternate, type Pair, summary } from './rounds.ts';

const SENDERS = 50;
const LISTENERS = 60;
const MANY_LISTENERS = 1_000;
const MESSAGES = 3_000;
const ROUNDS = 3;

type Mode = 'poll' | 'stream';

interface Database {
  database: string;
  schema?: string;
}

interface Delivered {
  acknowledgedMs: number;
  deliveredMs: number;
  p99: number;
}

/** A server with listeners, and the process that sends and listens. */
interface Side {
  server: Child;
  clients: Child;
  port: number;
  senders: readonly string[];
}

const LIMITS: Record<Mode, { lag: number; steadyUs: number; fanoutMs: number; lagRate: number }> = {
  poll: { lag: 150, steadyUs: 4_000, fanoutMs: 90, lagRate: 600 },
  stream: { lag: 150, steadyUs: 1_500, fanoutMs: 40, lagRate: 1_250 },
};

const CONTENT = `${MESSAGE_TEXT} ${MARK}000000000`;

async function chatSide(kit: Kit, mode: Mode, listeners: number, database: Database) {
  const server = kit.start('chat-server');
  const given = { ...database, people: listeners, channels: [listeners] };
  const { port, channels } = await server.ask<{ port: number; channels: [number] }>('start', given);
  const people = await server.ask<{ email: string; key: string }[]>('keys', { count: listeners });
  const auth = (at: number) => basicAuth(people[at % people.length] as { email: string; key: string });
  const queues = await server.ask<string[]>('register', { count: listeners });
  const path = { poll: '/api/v1/events', stream: '/api/v1/events/stream' }[mode];
  const requests = queues.map((queue, at) =>
    requestText('GET', `${path}?queue_id=${queue}&last_event_id=-1`, { auth: auth(at) }),
  );
  const form = { type: 'channel', to: String(channels[0]), topic: 'the lamp', content: CONTENT };
  const senders = Array.from({ length: SENDERS }, (_, at) =>
    requestText('POST', '/api/v1/messages', { auth: auth(at), form }),
  );
  return connected(kit, mode, { server, port, senders }, requests);
}

async function bareSide(kit: Kit, mode: Mode, listeners: number, like: Side): Promise<Side> {
  const server = kit.start('bare-server');
  // About the length of an event of the chat.
  const { port } = await server.ask<{ port: number }>('delivery', { eventBytes: 1_000 });
  const path = { poll: '/events?last_event_id=-1', stream: '/events' }[mode];
  const auth = basicAuth({ email: 'keeper1@example.com', key: 'x'.repeat(32) });
  const requests = Array.from({ length: listeners }, () => requestText('GET', path, { auth }));
  return connected(kit, mode, { server, port, senders: like.senders }, requests);
}

async function connected(kit: Kit, mode: Mode, side: Omit<Side, 'clients'>, requests: readonly string[]) {
  const clients = kit.start('delivery');
  await clients.ask('listen', { port: side.port, requests, isStream: mode === 'stream' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { ...side, clients };
}

const deliver = ({ clients, port, senders }: Side, more: object) =>
  clients.ask<Delivered>('deliver', { port, requests: senders, ...more });

/** Microseconds of CPU per message. */
async function costOf(side: Side, given: { messages: number; perSecond: number }): Promise<number> {
  const before = await side.server.ask<number>('cpu');
  await deliver(side, given);
  return ((await side.server.ask<number>('cpu')) - before) / given.messages;
}

async function measure(
  kit: Kit,
  mode: Mode,
  name: string,
  [database, manyDatabase]: readonly [Database, Database],
): Promise<Finding[]> {
  const limits = LIMITS[mode];
  const subject = await chatSide(kit, mode, LISTENERS, database);
  const floor = await bareSide(kit, mode, LISTENERS, subject);
  const acknowledged: number[] = [];
  const throughput = (side: Side) => async () => {
    const { acknowledgedMs, deliveredMs } = await deliver(side, { messages: MESSAGES });
    if (side === subject) acknowledged.push((MESSAGES * 1000) / acknowledgedMs);
    return (MESSAGES * 1000) / deliveredMs;
  };
  const speed = summary(await alternate(ROUNDS, 1, throughput(floor), throughput(subject)));
  const lag = (side: Side) => async () =>
    (await deliver(side, { messages: limits.lagRate * 4, perSecond: limits.lagRate })).p99;
  const lags = await alternate(ROUNDS, 1, lag(floor), lag(subject));
  const steady = (side: Side) => () => costOf(side, { messages: 400, perSecond: 100 });
  const steadies = await alternate(ROUNDS, 1, steady(floor), steady(subject));
  await kit.stopAll();
  const manySubject = await chatSide(kit, mode, MANY_LISTENERS, manyDatabase);
  const manyFloor = await bareSide(kit, mode, MANY_LISTENERS, manySubject);
  const fanout = (side: Side) => async () => (await costOf(side, { messages: 20, perSecond: 4 })) / 1000;
  const fanouts = await alternate(ROUNDS, 1, fanout(manyFloor), fanout(manySubject));
  await kit.stopAll();
  const rate = [...acknowledged].sort((a, b) => a - b)[acknowledged.length >> 1] as number;
  return [
    {
      name,
      ...speed,
      unit: 'msg/s',
      note: `until ${LISTENERS} listeners have all of ${MESSAGES} messages of ${SENDERS} senders, compared with node:http writing as many events; ${rate.toFixed(0)} per second are acknowledged`,
    },
    bounded(`${name}_lag`, lags, limits.lag, 'ms', `p99 from sending to the listeners at ${limits.lagRate} a second`),
    bounded(
      `${name}_steady`,
      steadies,
      limits.steadyUs,
      'us CPU',
      `a message at 100 a second to ${LISTENERS} listeners`,
    ),
    bounded(`${name}_1000`, fanouts, limits.fanoutMs, 'ms CPU', `a message to ${MANY_LISTENERS} listeners`),
  ];
}

function bounded(name: string, pairs: readonly Pair[], atMost: number, unit: string, note: string): Finding {
  const bound: Bound = { atMost };
  return { name, ...summary(pairs), absolute: pairs.map(({ subject }) => subject), bound, unit, note };
}

const OVERLOAD_SECONDS = 60;
/** Connections that send at the same time, and how much more they send than the server can deliver. */
const OVERLOAD_CONNECTIONS = 600;
const OVERLOAD = 3;

interface Overloaded {
  offered: number;
  acknowledged: number;
  refused: number;
  /** Missing or repeated deliveries. */
  wrong: number;
  p99: number;
  longest: number;
  recoveryMs: number;
}

/**
 * For a minute, three times as many messages as the server can deliver. Acknowledged ones are delivered once, and soon.
 */
const overloaded = (mode: Mode): Benchmark => ({
  names: [`delivery_overload_${mode}`, `delivery_overload_${mode}_recovery`, `delivery_overload_${mode}_memory`],
  async run(kit) {
    const side = await chatSide(kit, mode, LISTENERS, { database: kit.newDatabase() });
    await deliver(side, { messages: MESSAGES });
    const { deliveredMs } = await deliver(side, { messages: MESSAGES });
    const knee = (MESSAGES * 1000) / deliveredMs;
    const before = await side.server.ask<number>('residentNow');
    let largest = before;
    const look = async () => {
      largest = Math.max(largest, await side.server.ask<number>('residentNow'));
    };
    const timer = setInterval(() => void look().catch(() => undefined), 500);
    const given = {
      port: side.port,
      requests: Array.from({ length: OVERLOAD_CONNECTIONS }, (_, at) => side.senders[at % SENDERS]),
      perSecond: Math.ceil(knee * OVERLOAD),
      seconds: OVERLOAD_SECONDS,
    };
    const found = await side.clients.ask<Overloaded>('overload', given).finally(() => clearInterval(timer));
    const after = await deliver(side, { messages: 200, perSecond: 50 });
    await kit.stopAll();
    if (found.wrong > 0) throw new Error(`${found.wrong} deliveries are missing or repeated: ${JSON.stringify(found)}`);
    const per = (count: number) => (count / OVERLOAD_SECONDS).toFixed(0);
    const load = `${per(found.offered)} messages a second offered, ${per(found.acknowledged)} acknowledged, ${per(found.refused)} refused; ${knee.toFixed(0)} without overload`;
    const one = (name: string, value: number, floor: number, atMost: number, unit: string, note: string): Finding => ({
      name: `delivery_overload_${mode}${name}`,
      ...{ ratios: [value / floor], subject: value, floor, absolute: [value], bound: { atMost }, unit, note },
    });
    return [
      one(
        '',
        found.p99,
        after.p99,
        2_000,
        'ms',
        `p99 from acknowledgement to listener, against p99 just after it; longest ${found.longest.toFixed(0)} ms; ${load}`,
      ),
      one(
        '_recovery',
        found.recoveryMs,
        after.p99,
        5_000,
        'ms',
        'from the last acknowledgement until all listeners have all, against p99 after it',
      ),
      one(
        '_memory',
        largest / 1e6,
        before / 1e6,
        600,
        'MB',
        'largest resident memory of the server during the load, against before',
      ),
    ];
  },
});

const namesOf = (name: string): [string, ...string[]] => [name, `${name}_lag`, `${name}_steady`, `${name}_1000`];

const onSqlite = (mode: Mode): Benchmark => ({
  names: namesOf(`delivery_${mode}`),
  run: (kit) =>
    measure(kit, mode, `delivery_${mode}`, [{ database: kit.newDatabase() }, { database: kit.newDatabase() }]),
});

const onPostgres = (mode: Mode): Benchmark => ({
  names: namesOf(`delivery_${mode}_postgres`),
  run: (kit) =>
    withPostgres(kit, (database, [few, many]) =>
      measure(kit, mode, `delivery_${mode}_postgres`, [
        { database, schema: few },
        { database, schema: many },
      ]),
    ),
});

export const deliveries = [
  ...[onSqlite('poll'), onSqlite('stream'), onPostgres('poll'), onPostgres('stream')],
  ...[overloaded('poll'), overloaded('stream')],
];
