import type { Benchmark } from './benchmark.ts';
import { basicAuth, requestText } from './requests.ts';
import { alternate, summary } from './rounds.ts';

export const registerCost: Benchmark = {
  names: ['register_cost'],
  async run(kit) {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: 10_000, channels: [10_000, ...Array(19).fill(100)] };
    const { port } = await server.ask<{ port: number }>('start', given);
    const generator = kit.start('generator');
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const request = requestText('POST', '/api/v1/register', { auth: basicAuth(person) });
    let size = 0;
    const subject = async () => {
      const { milliseconds, length } = await generator.ask<{ milliseconds: number; length: number }>('exchange', {
        port,
        request,
      });
      size = length;
      return milliseconds;
    };
    const pairs = await alternate(9, 2, () => server.ask<number>('stringify', { what: 'register' }), subject);
    return [
      {
        name: 'register_cost',
        ...summary(pairs),
        unit: 'ms',
        note: `POST /register in an organization of 10,000 (${(size / 1e6).toFixed(1)} MB), compared with JSON.stringify of the same response`,
      },
    ];
  },
};
