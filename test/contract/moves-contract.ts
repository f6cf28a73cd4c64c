import assert from 'node:assert/strict';
import type { NewEdit } from '../../lib/storage/interface/edits.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createMessage, createUsers, newUser, openFounded, subscribe, unsubscribe } from './fixtures.ts';

/** Moves to topics in which many users have read messages, and their cost. */
export function movesContract(engine: Engine): void {
  const test = testOn(engine);

  test('messages moved below the start of a subscription stay unread, and read ones stay read', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const [one, two] = [await createChannel(tx, 'one'), await createChannel(tx, 'two')];
      await subscribe(tx, one, Ada, Bob);
      await subscribe(tx, two, Ada, Bob);
      const from = await tx.conversations.ensureTopic(one, 'from');
      const to = await tx.conversations.ensureTopic(two, 'to');
      const arriving: number[] = [];
      for (let n = 0; n < 30; n++) {
        arriving.push(await createMessage(tx, Bob, from));
        if (n % 7 === 0) await createMessage(tx, Bob, to);
      }
      await tx.readState.markRead(Ada.id, arriving.slice(3, 6));
      // Every message of the second channel is below the new floor.
      await unsubscribe(tx, two, Ada);
      await subscribe(tx, two, Ada);
      const later = await createMessage(tx, Bob, to);
      const wanted = [...arriving.filter((_, at) => at < 3 || at > 5), later];
      const unread = async () => (await tx.readState.unread(Ada.id, 100)).map(({ id }) => id).reverse();
      assert.deepEqual(await unread(), wanted);
      assert.equal(await tx.messages.move(arriving.slice(15), from, to, 1_700_000_000), true);
      assert.deepEqual(await unread(), wanted);
      assert.equal(await tx.messages.move(arriving.slice(0, 15), from, to, 1_700_000_000), true);
      assert.deepEqual(await unread(), wanted);
      await tx.readState.markRead(Ada.id, wanted.slice(5));
      assert.deepEqual(await unread(), wanted.slice(0, 5));
    });
  });

  test('a move that needs too many read ranges is refused, and a smaller one succeeds', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Bob } = await createUsers(tx, 'Bob');
      const readers = [];
      for (let n = 0; n < 110; n++) readers.push(await tx.users.create(newUser(`reader${n}`)));
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Bob, ...readers);
      const [x, y] = [
        await tx.conversations.ensureTopic(channel, 'x'),
        await tx.conversations.ensureTopic(channel, 'y'),
      ];
      const ids: number[] = [];
      for (let n = 0; n < 1_000; n++) {
        ids.push(await createMessage(tx, Bob, x));
        await createMessage(tx, Bob, y);
      }
      const last = ids.at(-1) as number;
      for (const { id } of readers) await tx.readState.markConversationsRead(id, [x.id], ids.length);
      assert.equal(await tx.messages.move(ids, x, y, 1_700_000_000), false);
      assert.equal((await tx.messages.byId(last))?.conversation_id, x.id);
      assert.equal(await tx.messages.move(ids.slice(-100), x, y, 1_700_000_000), true);
      assert.equal((await tx.messages.byId(last))?.conversation_id, y.id);
      const reader = readers[0] as { id: number };
      assert.equal((await tx.readState.unread(reader.id, 5_000)).length, 1_000);
    });
  });

  test('the edit history of a message leaves out topic renames from before or after its time there', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const channel = await createChannel(tx, 'one');
      const [x, y] = [
        await tx.conversations.ensureTopic(channel, 'x'),
        await tx.conversations.ensureTopic(channel, 'y'),
      ];
      const none = { part_of: null, editor_id: null, timestamp: 1_700_000_000, prev_content: null };
      const unmoved = { ...none, prev_rendered_content: null, prev_topic: null, topic: null, up_to_message_id: null };
      const row = { ...unmoved, message_id: null, prev_channel_id: null, channel_id: null };
      const add = (from: { id: number }, to: { id: number }, fields: Partial<NewEdit>) =>
        tx.edits.add({ ...row, conversation_id: to.id, prev_conversation_id: from.id, ...fields });
      const renamed = async (place: { id: number }, up_to_message_id: number) => {
        for (let n = 0; n < 300; n++) await add(place, place, { up_to_message_id, prev_topic: `${n}`, topic: 'x' });
      };
      const older = await createMessage(tx, Ada, x);
      await renamed(x, older);
      const id = await createMessage(tx, Ada, x);
      await renamed(y, id);
      const edited = await add(x, x, { message_id: id, prev_content: 'old', prev_rendered_content: 'old' });
      const along = await add(x, x, { up_to_message_id: id, prev_topic: 'x', topic: 'x2' });
      const out = await add(x, y, { message_id: id, prev_topic: 'x2', topic: 'y' });
      await renamed(x, older);
      const there = await add(y, y, { up_to_message_id: id, prev_topic: 'y', topic: 'y2' });
      const back = await add(y, x, { message_id: id, prev_topic: 'y2', topic: 'x' });
      await renamed(y, older);
      const last = await add(x, x, { up_to_message_id: id, prev_topic: 'x', topic: 'x3' });
      const of = async (newest: number) => {
        const found = await tx.edits.ofMessages([{ id, conversation_id: x.id }], { newest });
        return found.get(id)?.map((edit) => edit.id);
      };
      assert.deepEqual(await of(6), [edited, along, out, there, back, last]);
      assert.deepEqual(await of(2), [back, last]);
      const both = await tx.edits.ofMessages(await tx.messages.byIds([older, id]));
      assert.deepEqual(
        both.get(id)?.map((edit) => edit.id),
        [edited, along, out, there, back, last],
      );
      assert.equal(both.get(older)?.length, 602);
    });
  });
}
