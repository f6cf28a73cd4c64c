import { sqlite } from '../../lib/storage/sqlite/sqlite.ts';

/** A program that `reader-threads.test.ts` runs: it reads in a thread, and nothing else keeps it alive. */
const [path, how] = process.argv.slice(2) as [string, string];
const storage = sqlite(path, { threadsFromBytes: 0 });
await storage.open();
const users = await storage.read((tx) => tx.users.changedSince(0), 'scan');
console.log(users.map((user) => user.full_name).join());
if (how === 'closes') await storage.close();
