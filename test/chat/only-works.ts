import { openChat, sqlite } from '../../lib/index.ts';

/** A program that does nothing but work on what falls due; `closing.all.test.ts` runs it. */
const chat = await openChat({ storage: sqlite(':memory:') });
await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
await chat.on('event', () => undefined);
const keepAlive = process.argv[2] === 'keepAlive';
chat.start({ keepAlive });
console.log('started');
// Otherwise it has to end by itself. The timer keeps nothing alive.
if (keepAlive) {
  setTimeout(async () => {
    await chat.close();
    console.log('closed');
  }, 200).unref();
}
