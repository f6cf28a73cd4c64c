import { copyFileSync, readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { openChat, openTenants, sqlite, type Tenants } from '../../../lib/index.ts';
import { answer, residentBytes } from './answering.ts';

/** Many tenants, each a copy of the same small organization, compared with as many open chats of it. */

const ADA = 'ada@example.com';

let tenants: Tenants;
let pathOf: (id: string) => string;
let ids: readonly string[];
let next = 0;

async function start({ database, count, maxOpen }: { database: string; count: number; maxOpen: number }) {
  pathOf = (id) => `${database}-${id}`;
  ids = Array.from({ length: count }, (_, at) => String(at));
  const chat = await openChat({ storage: sqlite(pathOf('0')) });
  const { user_id } = await chat.createOrganization({ name: 'Bench', owner: { email: ADA, full_name: 'Ada' } });
  const session = chat.as(ADA);
  const { id } = await session.channels.create({ name: 'general', subscribers: [user_id] });
  for (let n = 0; n < 100; n++) {
    await session.messages.send({ type: 'channel', to: id, topic: 'the lamp', content: 'Lit at dusk, all is well.' });
  }
  await chat.close();
  for (const copy of ids.slice(1)) copyFileSync(pathOf('0'), pathOf(copy));
  tenants = openTenants({
    storage: (tenant) => sqlite(pathOf(tenant), { footprint: 'small' }),
    maxOpen,
    idleMs: 3_600_000,
  });
  tenants.start();
}

const register = (id: string) => tenants.with(id, (chat) => chat.as(ADA).register());

/** The median of the milliseconds until the first response of closed tenants. */
async function first({ count }: { count: number }): Promise<number> {
  return middle(count, async () => {
    // The tenants in turn, so that each was closed for others in between.
    next = (next + 1) % ids.length;
    await register(ids[next] as string);
  });
}

/** The same for an open tenant. */
async function again({ count }: { count: number }): Promise<number> {
  return middle(count, () => register(ids[next] as string));
}

async function middle(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[count >> 1] as number;
}

/** Bytes and files of the process, with the number of open tenants. */
async function size() {
  return { open: tenants.state.open, bytes: await residentBytes(), files: readdirSync('/proc/self/fd').length };
}

answer({ start, first, again, size });
