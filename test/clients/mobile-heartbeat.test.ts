import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChat, sqlite } from '../../lib/index.ts';
import { seedDemo } from '../../lib/internal.ts';
import { serve } from '../../server/index.ts';
import { MobileApp } from './mobile-app.ts';
import { decodeEvent } from './mobile-events.ts';

test('a poll without events ends with a heartbeat, well before the timeout of the app', async (t) => {
  // The timeout given to the app must follow from the heartbeat interval.
  for (const heartbeatSeconds of [1, 120]) {
    const chat = await openChat({ storage: sqlite(':memory:'), heartbeatSeconds });
    const { accounts } = await seedDemo(chat);
    const { url, close } = await serve(chat, { port: 0 });
    t.after(async () => {
      await close();
      await chat.close();
    });
    const zoe = accounts.find((account) => account.email.startsWith('zoe@'));
    const app = await MobileApp.withKey(url, zoe?.email ?? '', zoe?.api_key ?? '');
    const state = await app.register();
    assert.ok(state.event_queue_longpoll_timeout_seconds > heartbeatSeconds + 10);
    if (heartbeatSeconds > 1) continue;
    const { events } = await app.reader.poll({ wait: true });
    assert.deepEqual(
      events.map((event: { type: string }) => event.type),
      ['heartbeat'],
    );
    for (const event of events) decodeEvent(event);
    assert.deepEqual(await app.events(), []);
  }
});
