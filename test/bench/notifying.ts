import type { Benchmark, Finding } from './benchmark.ts';
import type { Child } from './child.ts';
import { CONNECTIONS, compareLoads, type Load, sendRequests } from './http-send.ts';
import type { Kit } from './kit.ts';
import { alternate, summary } from './rounds.ts';

const ROUNDS = 9;
const MESSAGES = 100;

interface Started {
  port: number;
  channels: number[];
}

/** Two equal servers: the second one sends e-mail about missed messages. */
async function servers(kit: Kit, size: { people: number; channels: number[] }) {
  const start = async (mails: boolean) => {
    const server = kit.start('chat-server');
    const made = await server.ask<Started>('start', { database: kit.newDatabase(), ...size, mails });
    // E-mails about the new channels.
    await server.ask('passTime', { milliseconds: 3_600_000 });
    await server.ask('runDue');
    return [server, made] as [Child, Started];
  };
  return { silent: await start(false), notifying: await start(true) };
}

async function fanoutCost(kit: Kit): Promise<Finding> {
  const { silent, notifying } = await servers(kit, { people: 10_000, channels: [10_000] });
  const send =
    ([server, { channels }]: [Child, Started]) =>
    () =>
      server.ask<number>('send', { channel: channels[0], count: MESSAGES });
  return {
    name: 'fanout_cost_notifying',
    ...summary(await alternate(ROUNDS, 2, send(silent), send(notifying))),
    bound: { atMost: 1.03 },
    unit: 'ms',
    note: 'a message to 10,000 subscribers through the library, with notifications by e-mail, against without',
  };
}

async function httpSend(kit: Kit): Promise<Finding> {
  const { silent, notifying } = await servers(kit, { people: 1_000, channels: Array(10).fill(100) });
  const { cpu, subject, floor, cost } = await compareLoads(
    kit,
    silent,
    notifying,
    await sendRequests(notifying[0], notifying[1].channels),
    undefined,
    // Keys depend on a secret of each organization.
    await sendRequests(silent[0], silent[1].channels),
  );
  return {
    name: 'http_send_notifying',
    ...{ subject, floor, cpu, unit: 'req/s', ratios: [cpu.floor / cpu.subject], bound: { atLeast: 0.97 } },
    note: `durable POST /messages, ${CONNECTIONS} connections, with notifications by e-mail, against without, by CPU; ${cost}`,
  };
}

const MENTIONED = 10_000;
/** Longer than the period that collects messages. */
const PERIOD_MS = 130_000;
const LOAD_MS = 10_000;
const SENDERS = 10;

/** Senders wait while a mention of all is decided, collected and mailed. */
async function mention(kit: Kit): Promise<Finding[]> {
  const server = kit.start('chat-server');
  const given = { database: kit.newDatabase(), people: MENTIONED, channels: [MENTIONED, 50], mails: true };
  const { port, channels } = await server.ask<Started>('start', given);
  const [all, few] = channels as [number, number];
  await server.ask('passTime', { milliseconds: 3_600_000 });
  await server.ask('runDue');
  const before = { mailed: await server.ask<number>('mailed'), bytes: await server.ask<number>('memory') };
  const generator = kit.start('generator');
  const requests = await sendRequests(server, [few]);
  const sending = generator.ask<Load>('load', {
    port,
    requests,
    connections: SENDERS,
    milliseconds: LOAD_MS,
    sleeps: true,
  });
  await server.ask('send', { channel: all, count: 1, content: '@**all** The lamp is out.' });
  let peak = before.bytes;
  const pause = async (milliseconds: number) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    peak = Math.max(peak, await server.ask<number>('residentNow'));
  };
  let isSending = true;
  const load = sending.finally(() => {
    isSending = false;
  });
  // The periods of users begin when the decision about them is made.
  const endPeriods = async () => {
    await pause(1_000);
    await server.ask('passTime', { milliseconds: PERIOD_MS });
  };
  while (isSending) await endPeriods();
  const { p99, perSecond } = await load;
  const during = (await server.ask<number>('mailed')) - before.mailed;
  // Messages of the senders also send e-mails, to followers of their topics.
  for (let n = 0; n < 60 && (await server.ask<number>('mailed')) - before.mailed < MENTIONED; n++) await endPeriods();
  const mailed = (await server.ask<number>('mailed')) - before.mailed;
  if (mailed < MENTIONED) throw new Error(`${mailed} of ${MENTIONED} e-mails were sent`);
  const megabytes = (peak - before.bytes) / 2 ** 20;
  const figure = (name: string, value: number, atMost: number, unit: string, note: string): Finding => ({
    ...{
      name,
      ratios: [value / atMost],
      subject: value,
      floor: atMost,
      absolute: [value],
      bound: { atMost },
      unit,
      note,
    },
  });
  return [
    figure(
      'mention_10k_p99',
      p99,
      250,
      'ms',
      `p99 of ${SENDERS} senders (${perSecond.toFixed(0)} messages/s) while ${MENTIONED} people get an e-mail about a mention; ${during} were sent meanwhile`,
    ),
    figure('mention_10k_mb', megabytes, 100, 'MiB', 'growth of the memory of the server during it'),
  ];
}

export const notifying: Benchmark = {
  names: ['fanout_cost_notifying', 'http_send_notifying', 'mention_10k_p99', 'mention_10k_mb'],
  limitMs: 600_000,
  async run(kit) {
    const findings = [await fanoutCost(kit)];
    await kit.stopAll();
    findings.push(await httpSend(kit));
    await kit.stopAll();
    return [...findings, ...(await mention(kit))];
  },
};
