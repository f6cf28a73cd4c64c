import { availableParallelism } from 'node:os';
import type { Benchmark, Finding } from './benchmark.ts';
import type { Child } from './child.ts';
import { CONNECTIONS, type Load, sendRequests } from './http-send.ts';
import type { Kit } from './kit.ts';
import { withPostgres } from './postgres.ts';
import { basicAuth, MESSAGE_TEXT, requestText } from './requests.ts';
import { alternate, median, summary } from './rounds.ts';

/** Long, so that the processes have more work than the database and the client. */
const LONG_TEXT = Array(20).fill(MESSAGE_TEXT).join('\n\n');
/** Two servers, the database and the client each need a core. With fewer, the benchmark measures the lack of cores. */
const PROCESSORS = 4;
const PROCESSES = [2, 4, 6] as const;
const MOST = 6;

interface Commits {
  groups: number;
  writes: number;
}

/** Six processes over one organization, and the comparison of several of them with the first. */
async function startServers(kit: Kit, database: string, schema: string) {
  const servers = Array.from({ length: MOST }, () => kit.start('chat-server'));
  const [one, ...others] = servers as [Child, ...Child[]];
  const population = { people: 1_000, channels: Array(10).fill(100) };
  const made = await one.ask<{ port: number; channels: number[]; people: number[] }>('start', {
    database,
    schema,
    ...population,
  });
  const joined = await Promise.all(others.map((other) => other.ask<{ port: number }>('join', { database, schema })));
  return { one, servers, ...made, ports: [made.port, ...joined.map(({ port }) => port)] };
}

function comparing(kit: Kit) {
  const generator = kit.start('generator');
  return async (ports: readonly number[], count: number, requests: readonly string[]) => {
    const load = (port: readonly number[]) => async () => {
      const given = { port, requests, connections: CONNECTIONS, milliseconds: 1_200, sleeps: true };
      return (await generator.ask<Load>('load', given)).perSecond;
    };
    return summary(await alternate(5, 1, load(ports.slice(0, 1)), load(ports.slice(0, count))));
  };
}

export const sendPostgresScaling: Benchmark = {
  names: ['send_postgres_2', 'send_postgres_4', 'send_postgres_6'],
  run: (kit) =>
    withPostgres(kit, async (database, [schema, bareSchema]) => {
      const { one, servers, channels, ports } = await startServers(kit, database, schema);
      const requests = await sendRequests(one, channels, LONG_TEXT);
      const compare = comparing(kit);
      const commits = async () => {
        const all = await Promise.all(servers.map((server) => server.ask<Commits>('commits')));
        return all.reduce((sum, { groups, writes }) => ({ groups: sum.groups + groups, writes: sum.writes + writes }));
      };
      const processors = availableParallelism();
      const findings: Finding[] = [];
      for (const count of PROCESSES) {
        const before = await commits();
        const figures = await compare(ports, count, requests);
        const after = await commits();
        const grouped = (after.writes - before.writes) / (after.groups - before.groups);
        findings.push({
          name: `send_postgres_${count}`,
          ...figures,
          unit: 'req/s',
          ...(processors >= PROCESSORS && count === 2 ? { bound: { atLeast: 1.5 } } : {}),
          note: `POST /messages of ${LONG_TEXT.length} characters by ${count} processes on PostgreSQL, compared with one; ${grouped.toFixed(1)} messages per commit`,
        });
      }
      const bare = { url: database, schema: bareSchema, people: 1_000 };
      const bareOne = await kit.start('bare-postgres').ask<{ port: number }>('messages', bare);
      const bareTwo = await kit.start('bare-postgres').ask<{ port: number }>('join', bare);
      const { ratios } = await compare([bareOne.port, bareTwo.port], 2, requests);
      const [two] = findings as [Finding];
      two.note += `; on these ${processors} processors two bare servers against one: ${median(ratios).toFixed(2)} (bound 1.5 from ${PROCESSORS} on)`;
      return findings;
    }),
};

export const readPostgresScaling: Benchmark = {
  names: ['read_postgres_2', 'read_postgres_4', 'read_postgres_6'],
  run: (kit) =>
    withPostgres(kit, async (database, [schema]) => {
      const { one, people, ports } = await startServers(kit, database, schema);
      const keys = await one.ask<{ email: string; key: string }[]>('keys', { count: CONNECTIONS });
      const requests = keys.map((person, n) =>
        requestText('GET', `/api/v1/users/${people[n * 7]}`, { auth: basicAuth(person) }),
      );
      const compare = comparing(kit);
      const findings: Finding[] = [];
      for (const count of PROCESSES) {
        const note = `GET /users/{id} by ${count} processes on PostgreSQL, against one`;
        findings.push({
          name: `read_postgres_${count}`,
          ...(await compare(ports, count, requests)),
          unit: 'req/s',
          note,
        });
      }
      return findings;
    }),
};
