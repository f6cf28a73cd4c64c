import type { Benchmark, Finding } from './benchmark.ts';
import { type Asked, CONNECTIONS, compareLoads, type Load, sendRequests } from './http-send.ts';
import type { Kit } from './kit.ts';
import { type Pair, summary } from './rounds.ts';

const ROUNDS = 21;
/** Of each chat in a round: 20 turns of 10 messages. */
const TURNS = { turns: 20, messages: 10 };
/** Short, so that other load of the machine affects both sides. */
const SHORT_LOADS = { rounds: 21, milliseconds: 700 };

interface Started {
  port: number;
  channels: number[];
}

async function fanoutCost(kit: Kit): Promise<Finding> {
  const program = kit.start('notifying');
  await program.ask('start', {
    databases: [kit.newDatabase(), kit.newDatabase()],
    people: 10_000,
    channels: [10_000],
  });
  const pairs: Pair[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const pair = await program.ask<Pair>('compare', TURNS);
    // Two rounds to warm up.
    if (round >= 0) pairs.push(pair);
  }
  return {
    name: 'fanout_cost_notifying',
    ...summary(pairs),
    bound: { atMost: 1.03 },
    unit: 'us',
    note: 'CPU of a message to 10,000 subscribers through the library, with notifications by e-mail, against without',
  };
}

async function httpSend(kit: Kit): Promise<Finding> {
  const program = kit.start('notifying');
  await program.ask('start', {
    databases: [kit.newDatabase(), kit.newDatabase()],
    people: 1_000,
    channels: Array(10).fill(100),
  });
  const [silent, notifying] = await program.ask<[Started, Started]>('serveAll');
  const one = (at: number): Asked => ({ ask: (question, given = {}) => program.ask(question, { ...given, at }) });
  const { cpu, subject, floor, cost } = await compareLoads(kit, [one(0), silent], [one(1), notifying], {
    // Keys depend on a secret of each organization.
    requests: await sendRequests(one(1), notifying.channels),
    floorRequests: await sendRequests(one(0), silent.channels),
    ...SHORT_LOADS,
  });
  return {
    name: 'http_send_notifying',
    ...{ subject, floor, cpu, unit: 'req/s', ratios: [cpu.floor / cpu.subject], bound: { atLeast: 0.97 } },
    note: `durable POST /messages, ${CONNECTIONS} connections, with notifications by e-mail, against without, by CPU; ${cost}`,
  };
}

/** Longer than the period that collects messages. */
const PERIOD_MS = 130_000;
const LOAD_MS = 10_000;
const SENDERS = 10;
/** Otherwise, the memory would be that of objects that are not collected yet. */
const MAX_HEAP_MIB = 96;

/** Senders wait while a mention of all is decided, collected and mailed. Before it, they send without one. */
async function mention(kit: Kit, people: number): Promise<Finding[]> {
  const server = kit.start('chat-server', { exposeGc: true, maxHeapMebibytes: MAX_HEAP_MIB });
  const given = { database: kit.newDatabase(), people, channels: [people, 50], mails: true };
  const { port, channels } = await server.ask<Started>('start', given);
  const [all, few] = channels as [number, number];
  const mailed = () => server.ask<number>('mailed');
  await server.ask('passTime', { milliseconds: 3_600_000 });
  await server.ask('runDue');
  const generator = kit.start('generator');
  const requests = await sendRequests(server, [few]);
  let peak = 0;
  // The period of a user begins when the decision about the user is made.
  const endPeriods = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    peak = Math.max(peak, await server.ask<number>('residentNow'));
    await server.ask('passTime', { milliseconds: PERIOD_MS });
  };
  const load = async () => {
    await server.ask('memory');
    peak = 0;
    let isOver = false;
    const given = { port, requests, connections: SENDERS, milliseconds: LOAD_MS, sleeps: true };
    const sending = generator.ask<Load>('load', given).finally(() => {
      isOver = true;
    });
    while (!isOver) await endPeriods();
    return { ...(await sending), peak };
  };
  const quiet = await load();
  const before = await mailed();
  const mentioning = server.ask('send', { channel: all, count: 1, content: '@**all** The lamp is out.' });
  const busy = await load();
  await mentioning;
  const during = (await mailed()) - before;
  for (let n = 0; n < 180 && (await mailed()) - before < people; n++) await endPeriods();
  if ((await mailed()) - before < people) throw new Error(`${(await mailed()) - before} e-mails were sent`);
  const mebibytes = Math.max(0, Math.max(busy.peak, peak) - quiet.peak) / 2 ** 20;
  const senders = `${SENDERS} senders (${busy.perSecond.toFixed(0)} messages/s, without it ${quiet.perSecond.toFixed(0)})`;
  return [
    {
      ...{
        name: `mention_${people / 1_000}k_p99`,
        ratios: [busy.p99 / quiet.p99],
        subject: busy.p99,
        floor: quiet.p99,
        unit: 'ms',
      },
      ...{ absolute: [busy.p99], bound: { atMost: 250 } },
      note: `p99 of ${senders} while ${people} people get an e-mail about a mention (${during} meanwhile), against without`,
    },
    {
      ...{ name: `mention_${people / 1_000}k_mb`, ratios: [busy.peak / quiet.peak], unit: 'MiB' },
      ...{ subject: mebibytes, floor: quiet.peak / 2 ** 20, absolute: [mebibytes], bound: { atMost: 100 } },
      note: 'growth of the highest memory of the server by it, against that without',
    },
  ];
}

export const notifying: readonly Benchmark[] = [
  { names: ['fanout_cost_notifying'], run: async (kit) => [await fanoutCost(kit)] },
  { names: ['http_send_notifying'], run: async (kit) => [await httpSend(kit)] },
  { names: ['mention_10k_p99', 'mention_10k_mb'], run: (kit) => mention(kit, 10_000) },
  { names: ['mention_20k_p99', 'mention_20k_mb'], run: (kit) => mention(kit, 20_000) },
];
