import type { Benchmark } from './benchmark.ts';
import { CONNECTIONS, compareLoads } from './http-send.ts';
import { basicAuth, requestText } from './requests.ts';

export const httpRead: Benchmark = {
  names: ['http_read'],
  async run(kit) {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: 1_000, channels: [] };
    const made = await server.ask<{ port: number; people: number[] }>('start', given);
    const bare = kit.start('bare-server');
    const floor = await bare.ask<{ port: number }>('users', { database: kit.newDatabase(), people: 1_100 });
    const people = await server.ask<{ email: string; key: string }[]>('keys', { count: 50 });
    const requests = Array.from({ length: 500 }, (_, n) => {
      const auth = basicAuth(people[n % people.length] as { email: string; key: string });
      return requestText('GET', `/api/v1/users/${made.people[(n * 7) % made.people.length]}`, { auth });
    });
    const { cost, ...figures } = await compareLoads(kit, [bare, floor], [server, made], { requests });
    return [
      {
        name: 'http_read',
        ...figures,
        bound: { atLeast: 0.5 },
        note: `GET /users/{id}, ${CONNECTIONS} connections, compared with one select of as many fields; ${cost}`,
      },
    ];
  },
};
