import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openChat } from '../../../../lib/index.ts';
import { migrations } from '../../../../lib/storage/migrations/index.ts';
import { everything } from '../../../storage/everything.ts';
import { places } from '../../../storage/migration-places.ts';
import { testOn } from '../../../support/engines.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const SECRET = 'the reactor code is seventeen';
const EDITED = 'the reactor code is eighteen';
const KEPT = 'the canteen opens at noon';

for (const { name, skip, make } of places) {
  const run = testOn({ skip });
  run(`a deleted text is nowhere in the database two minutes later, on ${name}`, async (t: TestContext) => {
    const place = await make();
    t.after(place.remove);
    const clock = new ManualClock();
    const quiet = { debug() {}, info() {}, warn() {}, error() {} };
    const chat = await openChat({ storage: place.storage(migrations), clock, logger: quiet });
    const ada = await chat.createOrganization({ name: 'Example', owner: { email: 'a@example.com', full_name: 'Ada' } });
    const session = chat.as(ada);
    // Both keep the events for up to a week.
    const { queue_id } = await session.register({ event_types: ['message', 'update_message', 'delete_message'] });
    const cursor = await chat.on('event', () => undefined, { cursor: 'index' });
    await cursor.stop();
    const send = (content: string) => session.messages.send({ type: 'direct', to: [ada.user_id], content });
    const kept = await send(KEPT);
    const { id } = await send(SECRET);
    await session.messages.edit({ message_id: id, content: EDITED });
    assert.ok((await everything(place)).includes(SECRET), 'the test finds a text');
    await session.messages.delete({ message_id: id });
    clock.advance({ minutes: 2 });
    await chat.runDue();
    const stored = await everything(place);
    for (const text of [SECRET, EDITED]) assert.ok(!stored.includes(text), text);
    assert.ok(stored.includes(KEPT));
    const { events } = await session.events.list({ queue_id, last_event_id: -1, dont_block: true });
    const seen = events.map((event) => [event.type, (event as { message?: { content: string } }).message?.content]);
    assert.deepEqual(seen, [
      ['message', KEPT],
      ['message', ''],
      ['update_message', undefined],
      ['delete_message', undefined],
    ]);
    assert.equal((await session.messages.get({ message_id: kept.id })).message.content, `<p>${KEPT}</p>`);
    await chat.close();
  });
}
