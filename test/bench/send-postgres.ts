import type { Benchmark } from './benchmark.ts';
import { CONNECTIONS, compareLoads, type Load, sendRequests } from './http-send.ts';
import { withPostgres } from './postgres.ts';
import { MESSAGE_TEXT } from './requests.ts';
import { alternate, summary } from './rounds.ts';

export const sendPostgres: Benchmark = {
  names: ['send_postgres'],
  run: (kit) =>
    withPostgres(kit, async (url, schemas) => {
      const server = kit.start('chat-server');
      const made = await server.ask<{ port: number; channels: number[] }>('start', {
        database: url,
        schema: schemas[0],
        people: 1_000,
        channels: Array(10).fill(100),
      });
      const bare = kit.start('bare-postgres');
      const floor = await bare.ask<{ port: number }>('messages', { url, schema: schemas[1], people: 1_000 });
      const requests = await sendRequests(server, made.channels);
      const { cost, ...figures } = await compareLoads(kit, [bare, floor], [server, made], requests);
      return [
        {
          name: 'send_postgres',
          ...figures,
          bound: { atLeast: 0.5 },
          note: `POST /messages on PostgreSQL, against one select and one insert by pg; ${cost}`,
        },
      ];
    }),
};

/** Long, so that the processes have more to do than the database and the one who asks. */
const LONG_TEXT = Array(+(process.env.LT ?? 20))
  .fill(MESSAGE_TEXT)
  .join('\n\n');

export const sendPostgres2: Benchmark = {
  names: ['send_postgres_2'],
  run: (kit) =>
    withPostgres(kit, async (database, [schema]) => {
      const [one, two] = [kit.start('chat-server'), kit.start('chat-server')];
      const population = { people: 1_000, channels: Array(10).fill(100) };
      const first = await one.ask<{ port: number; channels: number[] }>('start', { database, schema, ...population });
      const second = await two.ask<{ port: number }>('join', { database, schema });
      const requests = await sendRequests(one, first.channels, LONG_TEXT);
      const generator = kit.start('generator');
      const load = (port: readonly number[]) => async () => {
        const given = { port, requests, connections: CONNECTIONS, milliseconds: 2_000, sleeps: true };
        return (await generator.ask<Load>('load', given)).perSecond;
      };
      const pairs = await alternate(7, 3, load([first.port]), load([first.port, second.port]));
      return [
        {
          name: 'send_postgres_2',
          ...summary(pairs),
          unit: 'req/s',
          bound: { atLeast: 1.5 },
          note: `POST /messages of ${LONG_TEXT.length} characters by two processes on PostgreSQL, against one`,
        },
      ];
    }),
};
