/** `<database> <counts>`: creates a demo and is killed at these counts. */
import { openChat, sqlite } from '../../lib/index.ts';
import { seedDemo, transportOf } from '../../lib/internal.ts';
import { type Counts, countIn, reaches } from './demo-counts.ts';

const [database, counts] = process.argv.slice(2) as [string, string];
const wanted = JSON.parse(counts) as Partial<Counts>;
const chat = await openChat({ storage: sqlite(database) });
transportOf(chat).engine.hub.onWake(() => {
  if (reaches(countIn(database), wanted)) process.kill(process.pid, 'SIGKILL');
});
await seedDemo(chat);
