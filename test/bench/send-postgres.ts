import { availableParallelism } from 'node:os';
import type { Benchmark } from './benchmark.ts';
import { CONNECTIONS, compareLoads, type Load, sendRequests } from './http-send.ts';
import { withPostgres } from './postgres.ts';
import { MESSAGE_TEXT } from './requests.ts';
import { alternate, median, summary } from './rounds.ts';

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
const LONG_TEXT = Array(20).fill(MESSAGE_TEXT).join('\n\n');
/** Two servers, the database and whoever asks each need one, or what is measured is the want of them. */
const PROCESSORS = 4;

export const sendPostgres2: Benchmark = {
  names: ['send_postgres_2'],
  run: (kit) =>
    withPostgres(kit, async (database, [schema, bareSchema]) => {
      const [one, two] = [kit.start('chat-server'), kit.start('chat-server')];
      const population = { people: 1_000, channels: Array(10).fill(100) };
      const first = await one.ask<{ port: number; channels: number[] }>('start', { database, schema, ...population });
      const second = await two.ask<{ port: number }>('join', { database, schema });
      const requests = await sendRequests(one, first.channels, LONG_TEXT);
      const bare = { url: database, schema: bareSchema, people: 1_000 };
      const bareOne = await kit.start('bare-postgres').ask<{ port: number }>('messages', bare);
      const bareTwo = await kit.start('bare-postgres').ask<{ port: number }>('join', bare);
      const generator = kit.start('generator');
      const load = (port: readonly number[]) => async () => {
        const given = { port, requests, connections: CONNECTIONS, milliseconds: 1_200, sleeps: true };
        return (await generator.ask<Load>('load', given)).perSecond;
      };
      const figures = summary(await alternate(7, 3, load([first.port]), load([first.port, second.port])));
      const floor = summary(await alternate(5, 2, load([bareOne.port]), load([bareOne.port, bareTwo.port])));
      const processors = availableParallelism();
      return [
        {
          name: 'send_postgres_2',
          ...figures,
          unit: 'req/s',
          ...(processors < PROCESSORS ? {} : { bound: { atLeast: 1.5 } }),
          note: `POST /messages of ${LONG_TEXT.length} characters by two processes on PostgreSQL, against one; on these ${processors} processors two bare servers against one: ${median(floor.ratios).toFixed(2)} (bound 1.5 from ${PROCESSORS} on)`,
        },
      ];
    }),
};
