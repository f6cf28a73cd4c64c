import assert from 'node:assert/strict';
import { after, type TestContext } from 'node:test';
import { decodeText, transportOf } from '../../lib/internal.ts';
import { testOn } from '../support/engines.ts';
import { untilPollsWait } from '../support/polls.ts';
import { bothEngines, type WorldEngine } from '../world/copies.ts';
import { twoProcesses } from '../world/processes.ts';

// Streams do not keep a process alive. This timer does while the test waits for them.
const alive = setInterval(() => undefined, 60_000);
after(() => clearInterval(alive));

const FRAME = { before: (id: number) => `${id} `, after: '\n' };

/** A stream of Hamlet's in the first of two processes that has sent one message and waits for no other. */
async function busy(t: TestContext, engine: WorldEngine) {
  const [here, there] = await twoProcesses(t, engine);
  const { queue_id } = await here.as('hamlet').register({ event_types: ['message'], fetch_event_types: [] });
  const events = transportOf(here.chat).streamEvents(
    { userId: here.users.hamlet, client: 'test' },
    { queue_id, last_event_id: '-1' },
    decodeText,
    FRAME,
  );
  const say = (content: string) =>
    there.as('cordelia').messages.send({ type: 'channel', to: 'Denmark', topic: 'ghosts', content });
  await events.next();
  const waiting = events.next();
  await untilPollsWait(here.chat, 1);
  await say('first');
  assert.match(String((await waiting).value), /first/);
  return { here, there, events, say, queue_id: queue_id as string };
}

for (const engine of bothEngines) {
  const test = testOn(engine);

  test(`a busy stream ends when another process deactivates the account, on ${engine.name}`, async (t) => {
    const { here, there, events, say } = await busy(t, engine);
    await there.storage.write((tx) => tx.users.update(here.users.hamlet, { is_active: false }));
    await say('second');
    await assert.rejects(events.next(), { code: 'UNAUTHORIZED' });
  });

  test(`a busy stream ends when another process deletes the queue, on ${engine.name}`, async (t) => {
    const { there, events, say, queue_id } = await busy(t, engine);
    await there.as('hamlet').events.delete({ queue_id });
    await say('second');
    await assert.rejects(events.next(), { code: 'BAD_EVENT_QUEUE_ID' });
  });

  test(`a busy stream omits messages from after another process removed its user from the channel, on ${engine.name}`, async (t) => {
    const { here, there, events, say } = await busy(t, engine);
    await say('second');
    await there.as('hamlet').subscriptions.remove({ subscriptions: ['Denmark'] });
    await say('hidden');
    await there.as('hamlet').subscriptions.add({ subscriptions: [{ name: 'Denmark' }] });
    await say('third');
    let text = '';
    while (!text.includes('third')) text += String((await events.next()).value);
    assert.match(text, /second/);
    assert.doesNotMatch(text, /hidden/);
    assert.deepEqual(here.failures, []);
  });
}
