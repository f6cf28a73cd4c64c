import { readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Chat, openChat, openTenants, sqlite } from '../../lib/index.ts';
import { until } from '../support/until.ts';

/**
 * Opens many tenants. `many-open-tenants.ts` runs it with a limit of open files. Arguments: folder, number of tenants,
 * `maxOpen`. The first tenant has a scheduled message. Prints JSON.
 */
const [folder = '', count = '', maxOpen = '', footprint = 'small'] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const ADA = 'ada@example.com';
const pathOf = (id: string) => join(folder, `${id}.db`);
const optionsOf = { footprint: footprint as 'small' | 'normal' };

const first = await openChat({ storage: sqlite(pathOf('0')), logger: quiet });
await first.createOrganization({ name: 'Example', owner: { email: ADA, full_name: 'Ada' } });
await first.close();
const ids = Array.from({ length: Number(count) }, (_, at) => String(at));
for (const id of ids.slice(1)) await copyFile(pathOf('0'), pathOf(id));

const tenants = openTenants({
  storage: (id) => sqlite(pathOf(id), optionsOf),
  ids: () => ids,
  maxOpen: Number(maxOpen),
  idleMs: 600_000,
  logger: quiet,
});
const contents = async (chat: Chat) => {
  const { messages } = await chat.as(ADA).messages.list({ anchor: 'newest', num_before: 10, num_after: 0 });
  return messages.map(({ content }) => content);
};
const use = (id: string) =>
  tenants.with(id, async (chat) => {
    await chat.as(ADA).register();
    await chat.as(ADA).messages.send({ type: 'direct', to: [ADA], content: `in ${id}` });
  });
const openFiles = () => readdirSync('/proc/self/fd').length;
/**
 * Resident memory without the free part of the heap. Node 24 keeps 140 MB of free heap, however many tenants are open.
 */
async function residentBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - (heapTotal - heapUsed);
}

try {
  // Loads the measured code.
  await use('0');
  const { user_id } = await tenants.with('0', (chat) => chat.as(ADA).users.me());
  const due = Math.floor(Date.now() / 1000) + 10;
  await tenants.with('0', (chat) =>
    chat.as(ADA).scheduledMessages.create({
      type: 'direct',
      to: [user_id],
      content: 'on time',
      scheduled_delivery_timestamp: due,
    }),
  );
  await tenants.forget('0');
  const before = { files: openFiles(), bytes: await residentBytes() };
  let mostFiles = 0;
  let mostOpen = 0;
  for (const id of ids.slice(1)) {
    await use(id);
    mostOpen = Math.max(mostOpen, tenants.state.open);
    mostFiles = Math.max(mostFiles, openFiles());
  }
  const { open } = tenants.state;
  const bytes = ((await residentBytes()) - before.bytes) / open;
  tenants.start();
  // Reads only: a chat that is not started sends nothing.
  const reader = await openChat({ storage: sqlite(pathOf('0'), optionsOf), logger: quiet });
  let sent: string[] = [];
  await until('the scheduled message is sent', async () => {
    sent = await contents(reader);
    return tenants.state.isComplete && sent.length > 1;
  });
  await reader.close();
  const own = await tenants.with(String(ids.length - 1), contents);
  await tenants.close();
  console.log(JSON.stringify({ mostOpen, mostFiles, bytes, own, sent, leftOpen: openFiles() - before.files }));
} catch (error) {
  console.log((error as Error).message);
}
process.exit();
