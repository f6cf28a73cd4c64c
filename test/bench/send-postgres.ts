import type { Benchmark } from './benchmark.ts';
import { compareLoads, sendRequests } from './http-send.ts';
import { withPostgres } from './postgres.ts';

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
      const { cost, ...figures } = await compareLoads(kit, [bare, floor], [server, made], { requests });
      return [
        {
          name: 'send_postgres',
          ...figures,
          bound: { atLeast: 0.5 },
          note: `POST /messages on PostgreSQL, compared with one select and one insert by pg; ${cost}`,
        },
      ];
    }),
};
