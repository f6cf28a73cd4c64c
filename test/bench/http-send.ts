import type { Benchmark } from './benchmark.ts';
import type { Child } from './child.ts';
import type { Kit } from './kit.ts';
import { basicAuth, MESSAGE_TEXT, requestText } from './requests.ts';
import { alternate, median, summary } from './rounds.ts';

export const CONNECTIONS = 50;
const MILLISECONDS = 1_200;
const ROUNDS = 7;
const WARM_UPS = 3;
const PEOPLE = 50;

interface Served {
  port: number;
}
export interface Load {
  perSecond: number;
  answers: number;
  p99: number;
}

/** A process, or one of the servers in a process. */
export type Asked = Pick<Child, 'ask'>;

/** Requests to send messages, by many users to many topics. */
export async function sendRequests(
  server: Asked,
  channels: readonly number[],
  content = MESSAGE_TEXT,
): Promise<string[]> {
  const people = await server.ask<{ email: string; key: string }[]>('keys', { count: PEOPLE });
  return Array.from({ length: 500 }, (_, n) => {
    const person = people[n % people.length] as { email: string; key: string };
    const to = channels[n % channels.length] as number;
    const form = { type: 'channel', to: String(to), topic: `topic ${(n * 7) % 50}`, content };
    return requestText('POST', '/api/v1/messages', { auth: basicAuth(person), form });
  });
}

interface Loads {
  requests: readonly string[];
  /** To the floor. Absent: the same. */
  floorRequests?: readonly string[];
  beforeSubject?: () => Promise<unknown>;
  rounds?: number;
  milliseconds?: number;
}

/** Requests to two servers in turn. */
export async function compareLoads(
  kit: Kit,
  floor: [Asked, Served],
  subject: [Asked, Served],
  { requests, floorRequests = requests, beforeSubject, rounds = ROUNDS, milliseconds = MILLISECONDS }: Loads,
) {
  const generator = kit.start('generator');
  const costs = { floor: [] as number[], subject: [] as number[] };
  const slow: number[] = [];
  const load =
    (side: 'floor' | 'subject', [server, { port }]: [Asked, Served]) =>
    async () => {
      if (side === 'subject') await beforeSubject?.();
      const before = await server.ask<number>('cpu');
      const asked = side === 'subject' ? requests : floorRequests;
      const given = { port, requests: asked, connections: CONNECTIONS, milliseconds };
      const { perSecond, answers, p99 } = await generator.ask<Load>('load', given);
      costs[side].push(((await server.ask<number>('cpu')) - before) / answers);
      if (side === 'subject') slow.push(p99);
      return perSecond;
    };
  const pairs = await alternate(rounds, WARM_UPS, load('floor', floor), load('subject', subject));
  const counted = { floor: costs.floor.slice(WARM_UPS), subject: costs.subject.slice(WARM_UPS) };
  const cpu = { floor: median(counted.floor), subject: median(counted.subject) };
  return {
    ...summary(pairs),
    unit: 'req/s',
    cpu,
    /** Of each pair. */
    cpuRatios: counted.floor.map((spent, at) => spent / (counted.subject[at] as number)),
    cost: `CPU ${cpu.subject.toFixed(0)} us a request against ${cpu.floor.toFixed(0)} (${(cpu.floor / cpu.subject).toFixed(2)}), p99 ${median(slow).toFixed(0)} ms`,
  };
}

export const httpSend: Benchmark = {
  names: ['http_send'],
  async run(kit) {
    const server = kit.start('chat-server');
    const made = await server.ask<Served & { channels: number[] }>('start', {
      database: kit.newDatabase(),
      people: 1_000,
      channels: Array(10).fill(100),
    });
    const bare = kit.start('bare-server');
    const floor = await bare.ask<Served>('messages', { database: kit.newDatabase(), people: 1_000 });
    const requests = await sendRequests(server, made.channels);
    const { cost, ...figures } = await compareLoads(kit, [bare, floor], [server, made], { requests });
    return [
      {
        name: 'http_send',
        ...figures,
        bound: { atLeast: 0.33 },
        note: `durable POST /messages, ${CONNECTIONS} connections, compared with one select and one group-committed insert; ${cost}`,
      },
    ];
  },
};
