import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { connect } from '../../lib/index.ts';
import { Child } from '../bench/child.ts';
import { median } from '../bench/rounds.ts';
import { bundle } from '../support/bundle.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { tcpRelay } from '../support/tcp-relay.ts';
import { Poller, Sender } from './clients.ts';
import { FAILURES, type Failure } from './failures.ts';

/**
 * `npm run failover -- --rounds 5 --only promoted`: two processes on a PostgreSQL that fails in each way in
 * `failures.ts`, with senders and long polls. Prints lost, repeated and missing messages.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' } } });
const rounds = Number(values.rounds);
const chosen = FAILURES.filter(({ name }) => name.includes(values.only ?? ''));
if (!(rounds > 0) || chosen.length === 0) {
  console.error('npm run failover -- --rounds 5 --only PART-OF-A-NAME');
  process.exit(2);
}

const SENDERS = 8;
const POLLERS = 4;
/** Sends of each sender before the failure, and after it. */
const SENDS = 20;
const SCHEMA = 'chat';

interface Outcome {
  acknowledged: number;
  lost: number;
  repeated: number;
  missing: number;
  ended: number;
  /**
   * Seconds from when a database is reachable until a send that starts then is acknowledged: for the first sender, and
   * for each sender.
   */
  first: number;
  all: number;
}

const { program, remove } = await bundle('failover', { server: 'test/soak/soak-server.ts' });
try {
  const rows = [
    '| failure | rounds | acknowledged | lost | repeated | missing | queues ended | first send s | all senders s |',
  ];
  rows.push('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const failure of chosen) {
    const outcomes: Outcome[] = [];
    for (let round = 0; round < rounds; round++) {
      const outcome = await play(failure, round);
      console.error(`${failure.name}, round ${round + 1}: ${JSON.stringify(outcome)}`);
      outcomes.push(outcome);
    }
    rows.push(rowOf(failure, outcomes));
    const isWrong = ({ lost, repeated, missing }: Outcome) => repeated + missing + (failure.mayLose ? 0 : lost) > 0;
    if (outcomes.some(isWrong)) process.exitCode = 1;
  }
  console.log(rows.join('\n'));
} finally {
  await remove();
}

async function play(failure: Failure, round: number): Promise<Outcome> {
  const closing: (() => unknown)[] = [];
  try {
    const server = await startPostgresServer({ durable: true });
    closing.push(() => server.stop());
    const standby = await server.standby({ isSynchronous: failure.isSynchronous });
    const relay = await tcpRelay({ after: (close) => closing.push(close as () => unknown) }, server.url);
    const children = [1, 2].map(() => new Child(program('server'), ['--expose-gc']));
    for (const child of children) closing.push(() => child.stop());
    const given = { database: relay.url, schema: SCHEMA, mail: 'smtp://127.0.0.1:1' };
    const ports: number[] = [];
    for (const child of children) ports.push(await child.ask<number>('start', given));
    const { user_id, email, api_key } = await (children[0] as Child).ask<{
      user_id: number;
      email: string;
      api_key: string;
    }>('found', { password: 'correct horse battery' });
    const sessions = ports.map((port) => connect({ site: `http://127.0.0.1:${port}`, email, api_key }));
    for (const session of sessions) closing.push(() => session.close());
    const [session] = sessions as [(typeof sessions)[0]];
    const { id: channel } = await session.channels.create({ name: 'log', subscribers: [user_id] });

    const senders = Array.from({ length: SENDERS }, (_, at) => new Sender(`r${round}.${at}`, sessions, channel));
    const pollers = Array.from({ length: POLLERS }, () => new Poller(sessions));
    for (const poller of pollers) await poller.register();
    let isOver = false;
    const sending = senders.map((sender) => sender.run(() => isOver));
    let last: { id: number; content: string } | undefined;
    const polling = pollers.map((poller) => poller.run(() => last));

    const count = () => senders.reduce((sum, sender) => sum + sender.acknowledged.length, 0);
    const acknowledged = async (more: number) => {
      const enough = count() + more;
      while (count() < enough) await setTimeout(10);
    };
    await acknowledged(SENDS * SENDERS);
    const url = await failure.play({ server, standby, relay, acknowledged });
    const over = performance.now();
    const since = (sender: Sender) => sender.times.filter(({ began }) => began >= over);
    while (senders.some((sender) => since(sender).length < SENDS)) await setTimeout(10);
    isOver = true;
    await Promise.all(sending);
    const content = `r${round}.last`;
    // Ends the waiting polls.
    last = { content, ...(await session.messages.send({ type: 'channel', to: channel, topic: 'x', content })) };
    await Promise.all(polling);

    const stored = await messagesOf(url);
    const contents = new Set(stored.values());
    const firsts = senders.map((sender) => Math.min(...since(sender).map(({ ended }) => ended - over)) / 1000);
    return {
      acknowledged: count(),
      lost: senders.flatMap((sender) => sender.acknowledged).filter((content) => !contents.has(content)).length,
      repeated: pollers.reduce((sum, poller) => sum + poller.repeated, 0),
      missing: pollers.reduce((sum, poller) => sum + poller.missing(stored).length, 0),
      ended: pollers.reduce((sum, poller) => sum + poller.ended, 0),
      first: Math.min(...firsts),
      all: Math.max(...firsts),
    };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function messagesOf(url: string): Promise<Map<number, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT id, content FROM ${SCHEMA}.messages WHERE content LIKE 'r%.%' ORDER BY id`,
    );
    return new Map(rows.map(({ id, content }) => [Number(id), content]));
  } finally {
    await client.end();
  }
}

function rowOf({ name }: Failure, outcomes: readonly Outcome[]): string {
  const sum = (key: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const spread = (key: keyof Outcome) => {
    const figures = outcomes.map((outcome) => outcome[key]);
    return `${median(figures).toFixed(1)} (${Math.min(...figures).toFixed(1)}-${Math.max(...figures).toFixed(1)})`;
  };
  const sums = (['acknowledged', 'lost', 'repeated', 'missing', 'ended'] as const).map(sum);
  return `| ${[name, outcomes.length, ...sums, spread('first'), spread('all')].join(' | ')} |`;
}
