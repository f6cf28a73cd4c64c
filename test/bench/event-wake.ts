import type { Benchmark } from './benchmark.ts';
import { pollRequests } from './parked-polls.ts';
import { basicAuth, MESSAGE_TEXT, requestText } from './requests.ts';
import { alternate, summary } from './rounds.ts';

const POLLS = 1_000;

interface Timed {
  milliseconds: number;
}

export const eventWake: Benchmark = {
  names: ['event_wake'],
  async run(kit) {
    const generator = kit.start('generator');
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: POLLS, channels: [POLLS] };
    const made = await server.ask<{ port: number; channels: [number] }>('start', given);
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const form = { type: 'channel', to: String(made.channels[0]), topic: 'the lamp', content: MESSAGE_TEXT };
    const send = requestText('POST', '/api/v1/messages', { auth: basicAuth(person), form });
    const chat = async () => {
      const { poll } = await pollRequests(server, POLLS);
      await generator.ask('park', { port: made.port, requests: poll });
      const { milliseconds } = await generator.ask<Timed>('wake', { port: made.port, request: send });
      await generator.ask('drop');
      return milliseconds;
    };

    const bareServer = kit.start('bare-server');
    const { port } = await bareServer.ask<{ port: number }>('parking');
    const trigger = requestText('POST', '/', { form: { event: MESSAGE_TEXT.repeat(5) } });
    const bare = async () => {
      await generator.ask('park', { port, requests: Array(POLLS).fill(requestText('GET', '/wait')) });
      const { milliseconds } = await generator.ask<Timed>('wake', { port, request: trigger });
      await generator.ask('drop');
      return milliseconds;
    };
    return [
      {
        name: 'event_wake',
        ...summary(await alternate(5, 1, bare, chat)),
        unit: 'ms',
        note: `a message until the last of ${POLLS} waiting polls has it, compared with node:http answering as many`,
      },
    ];
  },
};
