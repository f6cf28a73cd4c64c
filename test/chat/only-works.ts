import { openChat, sqlite } from '../../lib/index.ts';

/** A program that only does due work. `closing.all.test.ts` runs it. */
const chat = await openChat({ storage: sqlite(':memory:') });
await chat.createOrganization({ name: 'Club', owner: { email: 'ada@example.com', full_name: 'Ada' } });
await chat.on('event', () => undefined);
const keepAlive = process.argv[2] === 'keepAlive';
chat.start({ keepAlive });
console.log('started');
// Without keepAlive it must end by itself. This timer does not keep it alive.
if (keepAlive) {
  setTimeout(async () => {
    await chat.close();
    console.log('closed');
  }, 200).unref();
}
