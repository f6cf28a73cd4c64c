import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openChat } from '../../lib/index.ts';
import { clockAhead, ENGINES, killAll, killedProgram, type Place } from './victims.ts';

/** After this time, the leases of a killed process have expired. */
const AFTER_LEASES_MS = 40_000;

export function scheduledMessages(kills: number, engines = ENGINES): void {
  describe('processes that schedule and send messages are killed', () => {
    for (const { name, place: makePlace, workers, skip } of engines) {
      const title = `each acknowledged scheduled message is sent once after kills, with ${workers} processes on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const { user, channel } = await found(place);
        const options = { ...place.options, user, channel };
        const { lives, asked, acknowledged, faults } = await killAll(await killedProgram('scheduler'), options, {
          workers,
          kills,
        });
        const { sent, pending, notices, removals } = await finish(place, user);
        t.diagnostic(`${lives} kills: ${asked.size} asked for, ${acknowledged.size} acknowledged, ${sent.length} sent`);
        assert.deepEqual(faults, []);
        assert.deepEqual(pending, [], 'the queue is empty');
        assert.equal(notices, 0, 'no scheduled message failed');
        assert.equal(new Set(sent).size, sent.length, 'no message was sent twice');
        const wasSent = new Set(sent);
        assert.deepEqual(
          [...acknowledged].filter((text) => !wasSent.has(text)),
          [],
          'every acknowledged message is sent',
        );
        assert.deepEqual(
          sent.filter((text) => !asked.has(text)),
          [],
          'every sent message was requested',
        );
        assert.equal(new Set(removals).size, removals.length, 'no removal event is repeated');
        assert.equal(removals.length, sent.length, 'every sending has an event');
        assert.ok(acknowledged.size >= kills, 'kills left work undone');
      });
    }
  });
}

async function found(place: Place): Promise<{ user: number; channel: number }> {
  const chat = await openChat({ storage: place.storage() });
  const { user_id: user } = await chat.createOrganization({
    name: 'Kills',
    owner: { email: 'ada@example.com', full_name: 'Ada' },
  });
  const { id: channel } = await chat.as(user).channels.create({ name: 'general', subscribers: [user] });
  // The report says which events clients received.
  await chat.as(user).register({ event_types: ['scheduled_messages'], idle_queue_timeout: 604_800 });
  await chat.close();
  return { user, channel };
}

/** Sends the remaining messages with a later clock and returns what is stored. */
async function finish(place: Place, user: number) {
  const storage = place.storage();
  const chat = await openChat({ storage, clock: clockAhead(AFTER_LEASES_MS) });
  try {
    await chat.runDue();
    const messages = await storage.read(async (tx) =>
      tx.messages.byIds(Array.from({ length: await tx.messages.maxId() }, (_, at) => at + 1)),
    );
    const events = await storage.read((tx) => tx.events.since(0, 1_000_000));
    return {
      sent: messages.flatMap(({ content }) => (/^life-\d+ \d+$/.test(content) ? [content] : [])),
      notices: messages.filter(({ content }) => /was not sent/.test(content)).length,
      pending: (await chat.as(user).scheduledMessages.list()).scheduled_messages.map(({ content }) => content),
      removals: events.flatMap(({ event }) =>
        event.type === 'scheduled_messages' && event.op === 'remove' ? [event.scheduled_message_id] : [],
      ),
    };
  } finally {
    await chat.close();
  }
}
