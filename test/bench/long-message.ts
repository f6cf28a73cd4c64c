import type { Benchmark } from './benchmark.ts';
import type { Child } from './child.ts';
import { pollRequests } from './parked-polls.ts';
import { basicAuth, requestText } from './requests.ts';
import { alternate, summary } from './rounds.ts';

const POLLS = 4_000;
/** The maximum length of a message, and ten times as long as HTML. */
const EMOJI = ':smile: '.repeat(1_240);

/** Milliseconds of CPU until every poll is answered, and the bytes of one response. */
async function fanOut(generator: Child, server: Child, port: number, requests: readonly string[], request: string) {
  await generator.ask('poll', { port, requests });
  while ((await server.ask<number>('waiting')) !== POLLS) await new Promise((resolve) => setTimeout(resolve, 20));
  const before = await server.ask<number>('cpu');
  const { length } = await generator.ask<{ length: number }>('fanOut', { port, request });
  return { cpu: ((await server.ask<number>('cpu')) - before) / 1000, length };
}

export const longMessage: Benchmark = {
  names: ['fanout_4000'],
  async run(kit) {
    const generator = kit.start('generator');
    const server = kit.start('chat-server', { maxHeapMebibytes: 256 });
    const given = { database: kit.newDatabase(), people: POLLS, channels: [POLLS] };
    const made = await server.ask<{ port: number; channels: [number] }>('start', given);
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const form = { type: 'channel', to: String(made.channels[0]), topic: 'the lamp', content: EMOJI };
    const send = requestText('POST', '/api/v1/messages', { auth: basicAuth(person), form });
    let bytes = 0;
    const chat = async () => {
      const { poll } = await pollRequests(server, POLLS, { apply_markdown: true });
      const { cpu, length } = await fanOut(generator, server, made.port, poll, send);
      bytes = length;
      return cpu;
    };
    await chat();

    const bareServer = kit.start('bare-server');
    const { port } = await bareServer.ask<{ port: number }>('parking');
    const trigger = requestText('POST', '/', { form: { event: 'x'.repeat(bytes) } });
    const waits = Array(POLLS).fill(requestText('GET', '/wait')) as string[];
    const bare = async () => (await fanOut(generator, bareServer, port, waits, trigger)).cpu;
    return [
      {
        name: 'fanout_4000',
        ...summary(await alternate(3, 1, bare, chat)),
        bound: { atMost: 3 },
        unit: 'ms CPU',
        note: `${Math.round(bytes / 1000)} kB to each of ${POLLS} polls in a heap of 256 MiB, compared with node:http writing as much`,
      },
    ];
  },
};
