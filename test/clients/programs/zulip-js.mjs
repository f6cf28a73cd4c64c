// A program that uses the package `zulip-js`, from its zuliprc on.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [, , folder, zuliprc] = process.argv;
const zulip = createRequire(join(folder, 'package.json'))('zulip-js');
const client = await zulip({ zuliprc });

const done = (answer) => {
  assert.equal(answer.result, 'success', JSON.stringify(answer));
  return answer;
};

done(await client.server.settings());
const me = done(await client.users.me.getProfile());
assert.ok(done(await client.users.retrieve()).members.some(({ user_id }) => user_id === me.user_id));
done(await client.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'Verona' }]) }));
const queue = done(await client.queues.register({ event_types: ['message'] }));
const sent = done(await client.messages.send({ type: 'stream', to: 'Verona', topic: 'npm', content: 'From npm' }));
const { queue_id, last_event_id } = queue;
const { events } = done(await client.events.retrieve({ queue_id, last_event_id }));
assert.equal(events[0].message.id, sent.id);
const read = done(await client.messages.retrieve({ anchor: 'newest', num_before: 1, num_after: 0 }));
assert.equal(read.messages.at(-1).id, sent.id);
const arrived = new Promise((resolve) => {
  client.callOnEachEvent((event) => event.message?.content.includes('Listen') && resolve(), ['message']);
});
// The package does not report when it listens.
const again = setInterval(
  () => client.messages.send({ type: 'stream', to: 'Verona', topic: 'npm', content: 'Listen' }),
  1_000,
);
await arrived;
clearInterval(again);
process.exit(0);
