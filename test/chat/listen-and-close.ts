import { setTimeout as sleep } from 'node:timers/promises';
import { openChat, sqlite } from '../../lib/index.ts';
import { transportOf } from '../../lib/internal.ts';
import { postgres } from '../../lib/storage/postgres/postgres.ts';
import { until } from '../support/until.ts';

/** A separate program, run by `closing.all.test.ts`. Only its chat keeps it alive. */
const [where, schema] = process.argv.slice(2) as [string, string | undefined];
let isSending = false;
const mail = {
  async send() {
    isSending = true;
    await sleep(500);
  },
  close: async () => undefined,
};
const chat = await openChat({ storage: schema === undefined ? sqlite(where) : postgres(where, { schema }), mail });
const ada = { email: 'ada@example.com', full_name: 'Ada', password: 'correct horse battery' };
const owner = await chat.createOrganization({ name: 'Club', owner: ada });
chat.start();
const listening = (async () => {
  for await (const event of chat.as(owner).listen()) console.log(event.type);
})();
await chat.anonymous().fetchApiKey({ username: ada.email, password: ada.password });
await until('an e-mail is being sent and a poll waits', () => isSending && transportOf(chat).engine.hub.waiting > 0);
// Work is in progress, so the listener has time to poll again.
await chat.close();
await listening;
console.log('closed');
