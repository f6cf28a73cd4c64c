import { openChat, sqlite } from '../../lib/index.ts';

/** For transcripts: `cursors-in chat.db search audit` has read the log under each name, and has ended. */
const [path = '', ...names] = process.argv.slice(2);
const chat = await openChat({ storage: sqlite(path) });
for (const cursor of names) await (await chat.on('event', () => undefined, { cursor })).stop();
await chat.close();
