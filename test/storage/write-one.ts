import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';

/** Another process with the same file. `sqlite.test.ts` runs it. */
const storage = sqlite(process.argv[2] as string);
await storage.open();
await storage.write(async (tx) => {
  await tx.outbox.add([{ kind: 'theirs', payload: {}, due_ms: 0 }]);
  const items = await tx.outbox.claimDue('theirs', 0, 2, 1);
  await tx.outbox.failed(
    items.map((item) => ({ ...item, error: 'noted', due_ms: null })),
    1,
  );
});
await storage.close();
