import type { Benchmark } from './benchmark.ts';
import { basicAuth, requestText } from './requests.ts';
import { alternate, summary } from './rounds.ts';

const ROUNDS = 9;
const MESSAGES = 100;

export const fanoutCost: Benchmark = {
  names: ['fanout_cost', 'fanout_cost_http'],
  async run(kit) {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: 10_000, channels: [10, 10_000] };
    const made = await server.ask<{ port: number; channels: [number, number] }>('start', given);
    const [few, many] = made.channels;
    const library = (channel: number) => () => server.ask<number>('send', { channel, count: MESSAGES });

    const generator = kit.start('generator');
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const http = (channel: number) => async () => {
      const form = { type: 'channel', to: String(channel), topic: 'the lamp', content: 'Lit at dusk, all is well.' };
      const request = requestText('POST', '/api/v1/messages', { auth: basicAuth(person), form });
      let total = 0;
      for (let n = 0; n < MESSAGES; n++) {
        total += (await generator.ask<{ milliseconds: number }>('exchange', { port: made.port, request })).milliseconds;
      }
      return total / MESSAGES;
    };

    return [
      {
        name: 'fanout_cost',
        ...summary(await alternate(ROUNDS, 1, library(few), library(many))),
        bound: { atMost: 1.2 },
        unit: 'ms',
        note: 'a message to 10,000 subscribers, compared with one to 10, through the library',
      },
      {
        name: 'fanout_cost_http',
        ...summary(await alternate(ROUNDS, 1, http(few), http(many))),
        bound: { atMost: 1.2 },
        unit: 'ms',
        note: 'the same over HTTP',
      },
    ];
  },
};
