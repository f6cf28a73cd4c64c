import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';

/** Another process with the same file: `sqlite.test.ts` runs it. */
const storage = sqlite(process.argv[2] as string);
await storage.open();
await storage.write(async (tx) => {
  await tx.outbox.add([{ kind: 'theirs', payload: {}, due_ms: 0 }]);
  for (const item of await tx.outbox.claimDue(0, 2, 1)) await tx.outbox.failed(item.id, 'noted', null);
});
await storage.close();
