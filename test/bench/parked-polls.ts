import type { Benchmark } from './benchmark.ts';
import type { Child } from './child.ts';
import type { Kit } from './kit.ts';
import { basicAuth, requestText } from './requests.ts';
import { alternate, summary } from './rounds.ts';

const POLLS = 5_000;
const ROUNDS = 3;

async function until(server: Child, waiting: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await server.ask<number>('waiting')) === waiting) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${await server.ask<number>('waiting')} polls wait instead of ${waiting}.`);
}

/** Kilobytes that each waiting request adds to its server. The server has answered others before. */
async function cost(
  kit: Kit,
  server: Child,
  port: number,
  warmUp: readonly string[],
  requests: readonly string[],
): Promise<number> {
  const generator = kit.start('generator');
  await generator.ask('load', { port, requests: warmUp, connections: 50, milliseconds: 2_000 });
  const before = await server.ask<number>('memory');
  await generator.ask('park', { port, requests });
  await until(server, requests.length);
  const after = await server.ask<number>('memory');
  await kit.stopAll();
  return (after - before) / requests.length / 1024;
}

export async function pollRequests(
  server: Child,
  count: number,
  registration: object = {},
): Promise<{ poll: string[]; stream: string[]; look: string[] }> {
  const queues = await server.ask<string[]>('register', { count, registration });
  const people = await server.ask<{ email: string; key: string }[]>('keys', { count });
  const auth = (at: number) => basicAuth(people[at] as { email: string; key: string });
  const path = (queue: string) => `/api/v1/events?queue_id=${queue}&last_event_id=-1`;
  const streamPath = (queue: string) => path(queue).replace('events', 'events/stream');
  return {
    stream: queues.map((queue, at) => requestText('GET', streamPath(queue), { auth: auth(at) })),
    poll: queues.map((queue, at) => requestText('GET', path(queue), { auth: auth(at) })),
    look: queues.map((queue, at) => requestText('GET', `${path(queue)}&dont_block=true`, { auth: auth(at) })),
  };
}

export const parkedPolls: Benchmark = {
  names: ['parked_poll_kb'],
  async run(kit) {
    const bare = async () => {
      const server = kit.start('bare-server', { exposeGc: true });
      const { port } = await server.ask<{ port: number }>('parking');
      const auth = basicAuth({ email: 'keeper1@example.com', key: 'x'.repeat(32) });
      const path = `/wait?queue_id=${'x'.repeat(36)}&last_event_id=-1`;
      const wait = requestText('GET', path, { auth });
      return cost(kit, server, port, [requestText('GET', '/now', { auth })], Array(POLLS).fill(wait));
    };
    const chat = async () => {
      const server = kit.start('chat-server', { exposeGc: true });
      const given = { database: kit.newDatabase(), people: POLLS, channels: [10] };
      const { port } = await server.ask<{ port: number }>('start', given);
      const { poll, look } = await pollRequests(server, POLLS);
      return cost(kit, server, port, look, poll);
    };
    const pairs = await alternate(ROUNDS, 0, bare, chat);
    return [
      {
        name: 'parked_poll_kb',
        ...summary(pairs),
        absolute: pairs.map((pair) => pair.subject),
        bound: { atMost: 16 },
        unit: 'kB',
        note: `each of ${POLLS} waiting long polls, compared with waiting requests of node:http`,
      },
    ];
  },
};

const STREAMS = 10_000;
/** Requests before the first measurement: after them the server has loaded everything. */
const FIRST_STREAMS = 500;

/** Kilobytes that each stream without events adds to its server. */
async function streamCost(kit: Kit, server: Child, port: number, requests: readonly string[], isChat: boolean) {
  const clients = kit.start('delivery');
  const open = async (some: readonly string[], total: number) => {
    await clients.ask('listen', { port, requests: some, isStream: true });
    if (isChat) await until(server, total);
    return server.ask<number>('memory');
  };
  const before = await open(requests.slice(0, FIRST_STREAMS), FIRST_STREAMS);
  const after = await open(requests.slice(FIRST_STREAMS), requests.length);
  await kit.stopAll();
  return (after - before) / (requests.length - FIRST_STREAMS) / 1024;
}

export const idleStreams: Benchmark = {
  names: ['idle_stream_kb'],
  async run(kit) {
    const bare = async () => {
      const server = kit.start('bare-server', { exposeGc: true });
      const { port } = await server.ask<{ port: number }>('delivery', { eventBytes: 1_000 });
      const auth = basicAuth({ email: 'keeper1@example.com', key: 'x'.repeat(32) });
      return streamCost(kit, server, port, Array(STREAMS).fill(requestText('GET', '/events', { auth })), false);
    };
    const chat = async () => {
      const server = kit.start('chat-server', { exposeGc: true });
      const given = { database: kit.newDatabase(), people: STREAMS, channels: [10] };
      const { port } = await server.ask<{ port: number }>('start', given);
      const { stream } = await pollRequests(server, STREAMS);
      return streamCost(kit, server, port, stream, true);
    };
    const pairs = await alternate(1, 0, bare, chat);
    return [
      {
        name: 'idle_stream_kb',
        ...summary(pairs),
        absolute: pairs.map((pair) => pair.subject),
        bound: { atMost: 24 },
        unit: 'kB',
        note: `each of ${STREAMS} streams without events, compared with open streams of node:http`,
      },
    ];
  },
};
