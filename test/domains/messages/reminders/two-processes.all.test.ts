import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { untilTold } from '../../../jobs/processes.ts';
import { engines, testOn } from '../../../support/engines.ts';
import { at, sent as countSent, isDone, MINUTE, type Processes, pass, twoProcesses } from '../processes.ts';

/** Reminders of one message, each with a different note. */
async function remindMany(processes: Processes, count: number): Promise<number[]> {
  const { as, user } = processes;
  const { id: message_id } = await as[0].messages.send({ type: 'direct', to: [user], content: 'hello' });
  const scheduled_delivery_timestamp = at(processes);
  const calls = Array.from({ length: count }, (_, n) =>
    (n % 2 ? as[0] : as[1]).reminders.create({ message_id, scheduled_delivery_timestamp, note: `note ${n}` }),
  );
  return (await Promise.all(calls)).map(({ reminder_id }) => reminder_id);
}

/** Number of sent reminders by note. */
async function sent(processes: Processes): Promise<[string, number][]> {
  const texts = await countSent(processes, /^You set a reminder/);
  return [...texts].map(([text, times]): [string, number] => [/note \d+/.exec(text)?.[0] ?? text, times]).sort();
}

const once = (numbers: readonly number[]) => numbers.map((n): [string, number] => [`note ${n}`, 1]).sort();

for (const engine of engines) {
  const test = testOn(engine);
  describe(`reminders of two processes on ${engine.name}`, () => {
    test('two processes at once send each reminder once, with one event', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { as, storage, user } = processes;
      const ids = await remindMany(processes, 450);
      const { queue_id } = await as[0].register({ event_types: ['reminders', 'message'] });
      await pass(processes);
      assert.deepEqual(await sent(processes), once(ids.map((_, n) => n)));
      assert.deepEqual(await storage.read((tx) => tx.reminders.of(user)), []);
      const { events } = await as[1].events.list({
        queue_id: queue_id as string,
        last_event_id: -1,
        dont_block: true,
      });
      const removed = events.flatMap((event) =>
        event.type === 'reminders' && event.op === 'remove' ? [event.reminder_id] : [],
      );
      const byNumber = (one: number, other: number) => one - other;
      assert.deepEqual(removed.sort(byNumber), ids.sort(byNumber));
      assert.equal(events.filter(({ type }) => type === 'message').length, ids.length);
      assert.deepEqual(processes.failures, []);
    });

    test('B8: a deletion of a reminder during its sending succeeds, and it is sent at most once', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { as, clock, chats } = processes;
      const ids = await remindMany(processes, 60);
      clock.advance({ seconds: MINUTE });
      const running = chats.map((chat) => chat.runDue());
      const wasDeleted = await Promise.all(
        ids.map((reminder_id, n) => isDone((n % 2 ? as[0] : as[1]).reminders.delete({ reminder_id }))),
      );
      await Promise.all(running);
      assert.ok(wasDeleted.every(Boolean));
      const before = await sent(processes);
      assert.ok(before.every(([, count]) => count === 1));
      await pass(processes);
      assert.deepEqual(await sent(processes), before);
      assert.deepEqual(processes.failures, []);
    });

    test('a reminder whose message is being deleted quotes the message or says that it was deleted', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { as, clock, chats, user } = processes;
      const messages: number[] = [];
      for (let n = 0; n < 20; n++) {
        const { id } = await as[0].messages.send({ type: 'direct', to: [user], content: `secret ${n}` });
        messages.push(id);
        await as[0].reminders.create({ message_id: id, scheduled_delivery_timestamp: at(processes) });
      }
      clock.advance({ seconds: MINUTE });
      const deletions = messages.map((message_id) => as[1].messages.delete({ message_id }));
      await Promise.all([...chats.map((chat) => chat.runDue()), ...deletions]);
      const texts = await countSent(processes, /^You set a reminder/);
      assert.equal(
        [...texts.values()].reduce((sum, times) => sum + times),
        20,
      );
      for (const text of texts.keys())
        assert.match(text, /secret \d+\n```$|was deleted, or that you can no longer read/);
      assert.deepEqual(processes.failures, []);
    });

    test('reminders claimed by a process that died are sent by another after 30 seconds', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { clock, storage, chats } = processes;
      await remindMany(processes, 3);
      clock.advance({ seconds: MINUTE });
      const now = clock.now();
      const claimed = await storage.write((tx) => tx.reminders.claimDue(now, now + 30_000, 10));
      assert.equal(claimed.length, 3);
      await chats[1].runDue();
      assert.deepEqual(await sent(processes), []);
      await pass(processes, 30);
      assert.deepEqual(await sent(processes), once([0, 1, 2]));
    });

    test('a started worker sends at its time a reminder created in another process', async (t) => {
      const processes = await twoProcesses(t, engine);
      const { chats, as, user, clock } = processes;
      await chats[0].start();
      const { id: message_id } = await as[1].messages.send({ type: 'direct', to: [user], content: 'hello' });
      await as[1].reminders.create({
        message_id,
        note: 'note 0',
        scheduled_delivery_timestamp: at(processes, 30),
      });
      clock.advance({ seconds: 30 });
      await untilTold('the reminder is sent', clock, async () => (await sent(processes)).length === 1);
    });
  });
}
