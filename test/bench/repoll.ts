import type { Benchmark } from './benchmark.ts';
import type { Child } from './child.ts';
import { pollRequests } from './parked-polls.ts';
import { basicAuth, MESSAGE_TEXT, requestText } from './requests.ts';
import { alternate, summary } from './rounds.ts';

const POLLS = 1_000;
const MESSAGES = 10;
const ROUNDS = 7;

async function until(server: Child, waiting: number): Promise<void> {
  while ((await server.ask<number>('waiting')) !== waiting) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Milliseconds of CPU per message. */
async function cpuOf(generator: Child, server: Child, port: number, request: string): Promise<number> {
  await until(server, POLLS);
  const before = await server.ask<number>('cpu');
  for (let n = 0; n < MESSAGES; n++) {
    await generator.ask('pollAgain', { port, request });
    await until(server, POLLS);
  }
  return ((await server.ask<number>('cpu')) - before) / MESSAGES / 1000;
}

export const repoll: Benchmark = {
  names: ['repoll_1000'],
  async run(kit) {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: POLLS, channels: [POLLS] };
    const made = await server.ask<{ port: number; channels: [number] }>('start', given);
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const form = { type: 'channel', to: String(made.channels[0]), topic: 'the lamp', content: MESSAGE_TEXT };
    const send = requestText('POST', '/api/v1/messages', { auth: basicAuth(person), form });
    const listeners = kit.start('generator');
    const { poll } = await pollRequests(server, POLLS);
    await listeners.ask('poll', { port: made.port, requests: poll });
    const chat = () => cpuOf(listeners, server, made.port, send);

    const bareServer = kit.start('bare-server');
    const { port } = await bareServer.ask<{ port: number }>('parking');
    const bareListeners = kit.start('generator');
    await bareListeners.ask('poll', { port, requests: poll });
    const trigger = requestText('POST', '/', { form: { event: MESSAGE_TEXT.repeat(5) } });
    const bare = () => cpuOf(bareListeners, bareServer, port, trigger);
    return [
      {
        name: 'repoll_1000',
        ...summary(await alternate(ROUNDS, 2, bare, chat)),
        bound: { atMost: 4 },
        unit: 'ms CPU',
        note: `a message to ${POLLS} polls that wait and then poll again, compared with node:http answering as many`,
      },
    ];
  },
};
