import type { Benchmark } from './benchmark.ts';
import { CONNECTIONS, compareLoads } from './http-send.ts';
import { basicAuth, requestText } from './requests.ts';
import { alternate, summary } from './rounds.ts';

const ROUNDS = 9;
const PEOPLE = 10_000;

/** The list after a user's report: all clients request it all day. */
export const presence10k: Benchmark = {
  names: ['presence_10k'],
  async run(kit) {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: PEOPLE, channels: [] };
    const made = await server.ask<{ port: number }>('start', given);
    await server.ask('report', { count: PEOPLE });
    const generator = kit.start('generator');
    const [person] = await server.ask<[{ email: string; key: string }]>('keys', { count: 1 });
    const request = requestText('GET', '/api/v1/realm/presence', { auth: basicAuth(person) });
    const fetch = () =>
      generator.ask<{ milliseconds: number; length: number }>('exchange', { port: made.port, request });
    const first = await fetch();
    const floor = () => server.ask<number>('stringify', { what: 'presences' });
    const changed = async () => {
      await server.ask('changePresence');
      return (await fetch()).milliseconds;
    };
    return [
      {
        name: 'presence_10k',
        ...summary(await alternate(ROUNDS, 2, floor, changed)),
        bound: { atMost: 2.5 },
        unit: 'ms',
        note: `GET /realm/presence of 10,000 (${(first.length / 1e6).toFixed(1)} MB) after a change of one user, compared with JSON.stringify; ${first.milliseconds.toFixed(0)} ms for the first request`,
      },
    ];
  },
};

/** Each load is in another minute, so every report changes the presence. */
export const presenceReport: Benchmark = {
  names: ['presence_report'],
  async run(kit) {
    const server = kit.start('chat-server');
    const given = { database: kit.newDatabase(), people: PEOPLE, channels: [] };
    const made = await server.ask<{ port: number }>('start', given);
    const bare = kit.start('bare-server');
    const floor = await bare.ask<{ port: number }>('reports', { database: kit.newDatabase(), people: PEOPLE + 1 });
    const people = await server.ask<{ email: string; key: string }[]>('keys', { count: PEOPLE });
    const requests = people.map((person) =>
      requestText('POST', '/api/v1/users/me/presence', {
        auth: basicAuth(person),
        form: { status: 'active', ping_only: 'true', new_user_input: 'true' },
      }),
    );
    // The server's caches are filled before the measurement.
    const warmUp = { port: made.port, requests, connections: CONNECTIONS, milliseconds: 0, atLeast: PEOPLE };
    await kit.start('generator').ask('load', warmUp);
    const nextMinute = () => server.ask('passTime', { milliseconds: 60_000 });
    const { cost, ...figures } = await compareLoads(kit, [bare, floor], [server, made], {
      requests,
      beforeSubject: nextMinute,
    });
    return [
      {
        name: 'presence_report',
        ...figures,
        bound: { atLeast: 0.5 },
        note: `POST /users/me/presence of 10,000 users, ${CONNECTIONS} connections, compared with one select; ${cost}`,
      },
    ];
  },
};
