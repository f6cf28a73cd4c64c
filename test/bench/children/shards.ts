import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { openTenants, type Tenants } from '../../../lib/index.ts';
import { postgres } from '../../../lib/storage/postgres/postgres.ts';
import { answer, cpuTime, residentBytes } from './answering.ts';

/** One of several processes that serve organizations on several PostgreSQL servers. */

const ADA = 'ada@example.com';
const PEOPLE = 50;
const DAY_S = 86_400;

const pools: pg.Pool[] = [];
let tenants: Tenants;

interface Setting {
  servers: readonly string[];
  name: string;
  poolSize: number;
  maxOpen: number;
}

function start({ servers, name, poolSize, maxOpen }: Setting) {
  for (const connectionString of servers) {
    const config = { connectionString, max: poolSize, application_name: name, pipeline: true };
    const pool = new pg.Pool(config as pg.PoolConfig);
    pool.on('error', () => undefined);
    pools.push(pool);
  }
  tenants = openTenants({ storage: storageOf, maxOpen, idleMs: 3_600_000, ids: () => round });
}

/** Organization 6 of four servers is on server 2. */
const storageOf = (id: string) =>
  postgres({ pool: pools[Number(id) % pools.length] as pg.Pool }, { schema: `tenant_${id}` });

let round: readonly string[] = [];

/** Organizations of 50 people. Each has a message due tomorrow. */
async function create({ ids }: { ids: readonly string[] }) {
  for (const id of ids) {
    await tenants.with(id, async (chat) => {
      await chat.createOrganization({ name: 'Bench', owner: { email: ADA, full_name: 'Ada' } });
      const session = chat.as(ADA);
      const { id: to } = await session.channels.create({ name: 'general', subscribers: [] });
      await session.users.createMany({
        people: Array.from({ length: PEOPLE - 1 }, (_, n) => ({
          email: `k${n}@example.com`,
          full_name: `Keeper ${n}`,
        })),
      });
      await session.scheduledMessages.create({
        type: 'channel',
        to,
        topic: 'tomorrow',
        content: 'Lit at dusk.',
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + DAY_S,
      });
    });
  }
}

/** Milliseconds, and those of its own processor time, for each closed tenant of a round that looks for due work. */
async function lookThrough({ ids }: { ids: readonly string[] }) {
  for (const id of ids) await tenants.forget(id);
  round = ids;
  const begin = performance.now();
  const cpu = cpuTime();
  tenants.start();
  while (!tenants.state.isComplete) await new Promise((resolve) => setTimeout(resolve, 20));
  return { ms: (performance.now() - begin) / ids.length, cpuMs: (cpuTime() - cpu) / 1e3 / ids.length };
}

/** Opens tenants, each with a register. Returns the milliseconds of each. */
async function open({ ids }: { ids: readonly string[] }): Promise<number> {
  const begin = performance.now();
  for (const id of ids) await tenants.with(id, (chat) => chat.as(ADA).register());
  return (performance.now() - begin) / ids.length;
}

const size = async () => ({
  open: tenants.state.open,
  scheduled: tenants.state.scheduled,
  bytes: await residentBytes(),
});

answer({ start, create, lookThrough, open, size });
