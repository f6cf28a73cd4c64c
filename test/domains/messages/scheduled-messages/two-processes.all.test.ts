import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { untilTold } from '../../../jobs/processes.ts';
import { engines, testOn } from '../../../support/engines.ts';
import { at, sent as countSent, isDone, MINUTE, type Processes, pass, twoProcesses } from '../processes.ts';

/** Direct messages to oneself, each with a different text. */
async function scheduleMany(processes: Processes, count: number): Promise<number[]> {
  const { as, user } = processes;
  const scheduled_delivery_timestamp = at(processes);
  const calls = Array.from({ length: count }, (_, n) =>
    (n % 2 ? as[0] : as[1]).scheduledMessages.create({
      type: 'direct',
      to: [user],
      content: `text ${n}`,
      scheduled_delivery_timestamp,
    }),
  );
  return (await Promise.all(calls)).map(({ scheduled_message_id }) => scheduled_message_id);
}

/** Number of sent messages by text. */
const sent = (processes: Processes) => countSent(processes, /^(text|other) /);

const once = (texts: readonly string[]) => new Map(texts.map((text) => [text, 1]));
const sorted = (counts: Map<string, number>) => [...counts].sort();

for (const engine of engines) {
  const test = testOn(engine);
  describe(`scheduled messages of two processes on ${engine.name}`, () => {
    test('two processes at once send each scheduled message once, with one event', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { as, storage, user } = processes;
      const ids = await scheduleMany(processes, 450);
      const { queue_id } = await as[0].register({ event_types: ['scheduled_messages', 'message'] });
      await pass(processes);
      assert.deepEqual(sorted(await sent(processes)), sorted(once(ids.map((_, n) => `text ${n}`))));
      assert.deepEqual(await storage.read((tx) => tx.scheduledMessages.of(user)), []);
      const { events } = await as[1].events.list({
        queue_id: queue_id as string,
        last_event_id: -1,
        dont_block: true,
      });
      const removed = events.flatMap((event) =>
        event.type === 'scheduled_messages' && event.op === 'remove' ? [event.scheduled_message_id] : [],
      );
      assert.deepEqual(
        removed.sort((one, other) => Number(one) - Number(other)),
        ids.sort((one, other) => one - other),
      );
      const messages = events.flatMap((event) => (event.type === 'message' ? [event.message.id] : []));
      assert.equal(new Set(messages).size, ids.length);
      assert.deepEqual(
        messages,
        [...messages].sort((one, other) => one - other),
        'IDs are in the order of events',
      );
      assert.deepEqual(processes.failures, []);
    });

    test('an edit of a scheduled message during its sending is either applied or refused, never both', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { as, clock, chats } = processes;
      const ids = await scheduleMany(processes, 60);
      clock.advance({ seconds: MINUTE });
      const edit = (scheduled_message_id: number, n: number) =>
        isDone(
          (n % 2 ? as[0] : as[1]).scheduledMessages.edit({
            scheduled_message_id,
            content: `other ${n}`,
            scheduled_delivery_timestamp: at(processes, 2 * MINUTE),
          }),
        );
      const edits = ids.map(edit);
      await Promise.all(chats.map((chat) => chat.runDue()));
      const wasEdited = await Promise.all(edits);
      const left = ids.flatMap((_, n) => (wasEdited[n] ? [] : [`text ${n}`]));
      assert.deepEqual(sorted(await sent(processes)), sorted(once(left)));
      await pass(processes, 2 * MINUTE);
      const all = ids.map((_, n) => (wasEdited[n] ? `other ${n}` : `text ${n}`));
      assert.deepEqual(sorted(await sent(processes)), sorted(once(all)));
      assert.deepEqual(processes.failures, []);
    });

    test('B8: a deletion of a scheduled message during its sending succeeds, and it is sent at most once', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { as, clock, chats } = processes;
      const ids = await scheduleMany(processes, 60);
      clock.advance({ seconds: MINUTE });
      const running = chats.map((chat) => chat.runDue());
      const wasDeleted = await Promise.all(
        ids.map((scheduled_message_id, n) =>
          isDone((n % 2 ? as[0] : as[1]).scheduledMessages.delete({ scheduled_message_id })),
        ),
      );
      await Promise.all(running);
      assert.ok(wasDeleted.every(Boolean));
      const before = await sent(processes);
      assert.ok([...before.values()].every((count) => count === 1));
      await pass(processes);
      assert.deepEqual(sorted(await sent(processes)), sorted(before));
      assert.deepEqual(processes.failures, []);
    });

    test('scheduled messages claimed by a process that died are sent by another after 30 seconds', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { clock, storage, chats } = processes;
      await scheduleMany(processes, 3);
      clock.advance({ seconds: MINUTE });
      const now = clock.now();
      const claimed = await storage.write((tx) => tx.scheduledMessages.claimDue(now, now + 30_000, 10));
      assert.equal(claimed.length, 3);
      await chats[1].runDue();
      assert.equal((await sent(processes)).size, 0);
      await pass(processes, 30);
      assert.deepEqual(sorted(await sent(processes)), sorted(once(['text 0', 'text 1', 'text 2'])));
      // The first process is still alive.
      const [first] = claimed;
      assert.ok(first && !(await storage.write((tx) => tx.scheduledMessages.markSent(first, 0))));
    });

    test('a started worker sends at its time a message scheduled in another process', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { chats, as, user, clock } = processes;
      await chats[0].start();
      await as[1].scheduledMessages.create({
        type: 'direct',
        to: [user],
        content: 'text 0',
        scheduled_delivery_timestamp: at(processes, 30),
      });
      clock.advance({ seconds: 30 });
      await untilTold('the message is sent', clock, async () => (await sent(processes)).size === 1);
    });
  });
}
