import type { Benchmark } from './benchmark.ts';
import { basicAuth, requestText } from './requests.ts';
import { alternate, median, summary } from './rounds.ts';

const ROUNDS = 9;

export const users10k: Benchmark = {
  names: ['users_10k', 'users_10k_unchanged'],
  async run(kit) {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: 10_000, channels: [] };
    const made = await server.ask<{ port: number }>('start', given);
    const generator = kit.start('generator');
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const request = requestText('GET', '/api/v1/users', { auth: basicAuth(person) });
    const fetch = () =>
      generator.ask<{ milliseconds: number; length: number }>('exchange', { port: made.port, request });
    const first = await fetch();

    const floor = () => server.ask<number>('stringify', { what: 'users' });
    const changed = async () => {
      await server.ask('change');
      return (await fetch()).milliseconds;
    };
    const unchanged = async () => {
      await fetch();
      const times: number[] = [];
      for (let n = 0; n < 7; n++) times.push((await fetch()).milliseconds);
      return median(times);
    };
    const size = `${(first.length / 1e6).toFixed(1)} MB`;
    return [
      {
        name: 'users_10k',
        ...summary(await alternate(ROUNDS, 2, floor, changed)),
        bound: { atMost: 2.5 },
        unit: 'ms',
        note: `GET /users of 10,000 (${size}) after an account changed, compared with JSON.stringify; ${first.milliseconds.toFixed(0)} ms for the first request`,
      },
      {
        name: 'users_10k_unchanged',
        ...summary(await alternate(ROUNDS, 1, floor, unchanged)),
        bound: { atMost: 0.5 },
        unit: 'ms',
        note: 'the same without a change in between',
      },
    ];
  },
};
