import { availableParallelism } from 'node:os';
import type { Benchmark, Finding } from './benchmark.ts';
import type { Child } from './child.ts';
import { CONNECTIONS, type Load, sendRequests } from './http-send.ts';
import { withPostgres } from './postgres.ts';
import { basicAuth, MESSAGE_TEXT, requestText } from './requests.ts';
import { alternate, median, summary } from './rounds.ts';

/** Long, so that the processes have more to do than the database and the one who asks. */
const LONG_TEXT = Array(20).fill(MESSAGE_TEXT).join('\n\n');
/** Two servers, the database and whoever asks each need one, or what is measured is the want of them. */
const PROCESSORS = 4;
const PROCESSES = [2, 4, 6] as const;
const MOST = 6;

interface Commits {
  groups: number;
  writes: number;
}

export const postgresScaling: Benchmark = {
  names: [
    'send_postgres_2',
    ...PROCESSES.slice(1).map((n) => `send_postgres_${n}`),
    ...PROCESSES.map((n) => `read_postgres_${n}`),
  ],
  run: (kit) =>
    withPostgres(kit, async (database, [schema, bareSchema]) => {
      const servers = Array.from({ length: MOST }, () => kit.start('chat-server'));
      const [one, ...others] = servers as [Child, ...Child[]];
      const population = { people: 1_000, channels: Array(10).fill(100) };
      const made = await one.ask<{ port: number; channels: number[]; people: number[] }>('start', {
        database,
        schema,
        ...population,
      });
      const ports = [made.port];
      for (const other of others) ports.push((await other.ask<{ port: number }>('join', { database, schema })).port);
      const bare = { url: database, schema: bareSchema, people: 1_000 };
      const barePorts = [(await kit.start('bare-postgres').ask<{ port: number }>('messages', bare)).port];
      while (barePorts.length < MOST) {
        barePorts.push((await kit.start('bare-postgres').ask<{ port: number }>('join', bare)).port);
      }

      const generator = kit.start('generator');
      const load = (of: readonly number[], count: number, requests: readonly string[]) => async () => {
        const port = of.slice(0, count);
        const given = { port, requests, connections: CONNECTIONS, milliseconds: 1_200, sleeps: true };
        return (await generator.ask<Load>('load', given)).perSecond;
      };
      const commits = async (): Promise<Commits> => {
        const all = await Promise.all(servers.map((server) => server.ask<Commits>('commits')));
        return all.reduce((sum, { groups, writes }) => ({ groups: sum.groups + groups, writes: sum.writes + writes }));
      };
      const sends = await sendRequests(one, made.channels, LONG_TEXT);
      const people = await one.ask<{ email: string; key: string }[]>('keys', { count: CONNECTIONS });
      const reads = people.map((person, n) =>
        requestText('GET', `/api/v1/users/${made.people[n * 7]}`, { auth: basicAuth(person) }),
      );

      const processors = availableParallelism();
      const findings: Finding[] = [];
      for (const count of PROCESSES) {
        const before = await commits();
        const pairs = await alternate(7, 3, load(ports, 1, sends), load(ports, count, sends));
        const after = await commits();
        const floor = summary(await alternate(5, 2, load(barePorts, 1, sends), load(barePorts, count, sends)));
        const grouped = (after.writes - before.writes) / (after.groups - before.groups);
        findings.push({
          name: `send_postgres_${count}`,
          ...summary(pairs),
          unit: 'req/s',
          ...(processors >= PROCESSORS && count === 2 ? { bound: { atLeast: 1.5 } } : {}),
          note: `POST /messages of ${LONG_TEXT.length} characters by ${count} processes on PostgreSQL, against one; ${grouped.toFixed(1)} messages a commit; on these ${processors} processors ${count} bare servers against one: ${median(floor.ratios).toFixed(2)}`,
        });
      }
      for (const count of PROCESSES) {
        findings.push({
          name: `read_postgres_${count}`,
          ...summary(await alternate(7, 3, load(ports, 1, reads), load(ports, count, reads))),
          unit: 'req/s',
          note: `GET /users/{id} by ${count} processes on PostgreSQL, against one`,
        });
      }
      return findings;
    }),
};
