import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { startPostgresServer } from '../support/postgres-server.ts';
import type { Benchmark, Finding } from './benchmark.ts';
import type { Child } from './child.ts';
import { median } from './rounds.ts';

/** The plan of docs/scaling.md: 10,000 organizations of 50 people on four servers, served by eight processes. */
const ORGANIZATIONS = 10_000;
const SERVERS = 4;
const PROCESSES = 8;
/** What this benchmark creates of it, with as many servers and processes. */
const CREATED = 64;
const POOL_SIZE = 4;

interface Size {
  open: number;
  scheduled: number;
  bytes: number;
}

export const shards: Benchmark = {
  names: ['shards', 'shards_open_kb', 'shards_backend_kb', 'shards_connections', 'shards_disk_mb'],
  limitMs: 1_200_000,
  async run(kit) {
    const started = [];
    for (let n = 0; n < SERVERS; n++) started.push(await startPostgresServer());
    try {
      const servers = started.map(({ url }) => url);
      const ids = Array.from({ length: CREATED }, (_, n) => String(n));
      const empty = await diskOf(servers);
      const processes = await Promise.all(
        Array.from({ length: PROCESSES }, async (_, n) => {
          const program = kit.start('shards', { exposeGc: true });
          // With one connection to each server, that one serves all organizations there.
          const poolSize = n === 1 ? 1 : POOL_SIZE;
          await program.ask('start', { servers, name: `process_${n}`, poolSize, maxOpen: CREATED + 1 });
          return program;
        }),
      );
      const [first, second, ...others] = processes as [Child, Child, ...Child[]];
      await first.ask('create', { ids });
      const disk = ((await diskOf(servers)) - empty) / CREATED;
      const look = await first.ask<{ ms: number; cpuMs: number }>('lookThrough', { ids });
      const { scheduled } = await first.ask<Size>('size');
      if (scheduled !== CREATED) throw new Error(`The round found due work in ${scheduled} of ${CREATED}.`);

      // A backend keeps what it knows of each schema that it has served.
      await second.ask('open', { ids: ids.slice(0, 16) });
      const before = { size: await second.ask<Size>('size'), backends: await backendsOf(servers, 'process_1') };
      await second.ask('open', { ids: ids.slice(16) });
      const after = { size: await second.ask<Size>('size'), backends: await backendsOf(servers, 'process_1') };
      const opened = after.size.open - before.size.open;
      const openKb = (after.size.bytes - before.size.bytes) / opened / 1e3;
      const perServer = opened / SERVERS;
      const backendKb = (median(after.backends) - median(before.backends)) / perServer;

      for (const [at, program] of others.entries()) await program.ask('open', { ids: ids.slice(at * 8, at * 8 + 8) });
      const connections = Math.max(...(await Promise.all(servers.map(connectionsOf))));

      const scale = ORGANIZATIONS / CREATED;
      const made = `${CREATED} of ${ORGANIZATIONS} organizations of 50 people, ${SERVERS} servers, ${PROCESSES} processes`;
      const finding = (name: string, value: number, unit: string, note: string): Finding => ({
        name,
        ratios: [],
        absolute: [value],
        subject: value,
        floor: 0,
        unit,
        note,
      });
      return [
        finding(
          'shards',
          look.ms,
          'ms',
          `for each closed organization in a round that looks for due work, of which ${look.cpuMs.toFixed(1)} ms are processor time of the process; ${made}. ${ORGANIZATIONS}: ${Math.round((look.ms * ORGANIZATIONS) / 1e3)} s`,
        ),
        finding('shards_open_kb', openKb, 'kB', 'of a process for each open organization'),
        finding(
          'shards_backend_kb',
          backendKb,
          'kB',
          `of a connection of PostgreSQL for each organization that it has served. All of a server: ${Math.round((backendKb * ORGANIZATIONS) / SERVERS / 1e3)} MB`,
        ),
        finding('shards_connections', connections, 'connections', `to one server, with pools of ${POOL_SIZE}`),
        finding(
          'shards_disk_mb',
          disk / 1e6,
          'MB',
          `on disk for each new organization; ${Math.round((disk * CREATED * scale) / SERVERS / 1e9)} GB on each server`,
        ),
      ];
    } finally {
      await kit.stopAll();
      for (const { stop } of started) await stop();
    }
  },
};

async function asked<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function diskOf(servers: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const url of servers) {
    const [row] = await asked<{ bytes: string }>(url, 'SELECT pg_database_size(current_database()) AS bytes');
    bytes += Number(row?.bytes);
  }
  return bytes;
}

async function connectionsOf(url: string): Promise<number> {
  const rows = await asked(url, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'");
  return rows.length - 1;
}

/** For each server, kilobytes of own memory of the backend that serves queries of a process: the largest one. */
function backendsOf(servers: readonly string[], name: string): Promise<number[]> {
  return Promise.all(
    servers.map(async (url) => {
      const rows = await asked<{ pid: number }>(
        url,
        `SELECT pid FROM pg_stat_activity WHERE application_name = '${name}'`,
      );
      const sizes = await Promise.all(
        rows.map(async ({ pid }) => {
          const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
          return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0);
        }),
      );
      return Math.max(...sizes);
    }),
  );
}
