import { openChat, sqlite } from '../../lib/index.ts';

/** For transcripts: a program that has read the log by each of the names, `cursors-in chat.db search audit`, and ended. */
const [path = '', ...names] = process.argv.slice(2);
const chat = await openChat({ storage: sqlite(path) });
for (const cursor of names) await (await chat.on('event', () => undefined, { cursor })).stop();
await chat.close();
