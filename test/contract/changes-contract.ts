import assert from 'node:assert/strict';
import type { Conversation } from '../../lib/storage/interface/conversations.ts';
import type { NewEdit } from '../../lib/storage/interface/edits.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, markAllRead, openFounded, send, subscribe, unsubscribe } from './fixtures.ts';

const MOVED = 1_700_000_500;

function edit(conversation: Conversation, fields: Partial<NewEdit> = {}): NewEdit {
  return {
    message_id: null,
    conversation_id: conversation.id,
    prev_conversation_id: conversation.id,
    up_to_message_id: null,
    part_of: null,
    editor_id: null,
    timestamp: MOVED,
    prev_content: null,
    prev_rendered_content: null,
    prev_topic: null,
    topic: null,
    prev_channel_id: null,
    channel_id: null,
    ...fields,
  };
}

async function place(tx: Transaction) {
  const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
  const channel = await createChannel(tx, 'one');
  await subscribe(tx, channel, Ada, Bob);
  const topic = (name: string) => tx.conversations.ensureTopic(channel, name);
  return { Ada, Bob, channel, topic };
}

export function changesContract(engine: Engine): void {
  const test = testOn(engine);
  test('a repeated reaction is not added, a repeated removal removes nothing, and reactions keep their order', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, topic } = await place(tx);
      const id = await send(tx, Ada, await topic('x'));
      const tada = { message_id: id, reaction_type: 'unicode_emoji' as const, emoji_code: '1f389', emoji_name: 'tada' };
      const fish = { ...tada, reaction_type: 'realm_emoji' as const };
      assert.equal(await tx.reactions.add({ ...tada, user_id: Bob.id }), 'added');
      assert.equal(await tx.reactions.add({ ...tada, user_id: Ada.id }), 'added');
      assert.equal(await tx.reactions.add({ ...tada, user_id: Ada.id, emoji_name: 'party' }), 'exists');
      assert.equal(await tx.reactions.add({ ...fish, user_id: Ada.id }), 'added');
      assert.deepEqual(await tx.reactions.of([id]), [
        { ...tada, user_id: Bob.id },
        { ...tada, user_id: Ada.id },
        { ...fish, user_id: Ada.id },
      ]);
      assert.equal(await tx.reactions.remove({ ...tada, user_id: Bob.id }), true);
      assert.equal(await tx.reactions.remove({ ...tada, user_id: Bob.id }), false);
      assert.equal((await tx.reactions.of([id])).length, 2);
      assert.deepEqual(await tx.reactions.of([]), []);
    });
  });

  test('submessages are listed in the order they were added', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, topic } = await place(tx);
      const [first, second] = [await send(tx, Ada, await topic('x')), await send(tx, Ada, await topic('x'))];
      const widget = { message_id: first, sender_id: Ada.id, msg_type: 'widget', content: '{"a":1}' };
      const other = { ...widget, sender_id: Bob.id, content: '[]' };
      const elsewhere = { ...widget, message_id: second };
      const ids = [
        await tx.submessages.add(widget),
        await tx.submessages.add(elsewhere),
        await tx.submessages.add(other),
      ];
      assert.deepEqual(await tx.submessages.of([first]), [
        { id: ids[0], ...widget },
        { id: ids[2], ...other },
      ]);
      assert.equal((await tx.submessages.of([second, first])).length, 3);
      assert.deepEqual(await tx.submessages.of([]), []);
      const summary = (message: number, user: number) => tx.submessages.summary(message, user);
      const found = { widget: '{"a":1}', started: 1 };
      assert.deepEqual({ ...(await summary(first, Bob.id)) }, { ...found, all: 209, own: 102 });
      assert.deepEqual({ ...(await summary(first, 0)) }, { ...found, all: 209, own: 0 });
      const plain = await send(tx, Ada, await topic('x'));
      await tx.submessages.add({ ...other, message_id: plain, msg_type: 'x' });
      assert.deepEqual({ ...(await summary(plain, Ada.id)) }, { widget: null, started: null, all: 102, own: 0 });
    });
  });

  test('the name of a deactivated custom emoji can be used again', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const fish = { name: 'fish', author_id: null, source_url: '/fish.gif', still_url: '/fish.png' };
      const first = (await tx.customEmoji.create(fish)) as number;
      assert.equal(await tx.customEmoji.create(fish), undefined);
      await tx.customEmoji.deactivate(first);
      assert.equal(await tx.customEmoji.byName('fish'), undefined);
      const second = (await tx.customEmoji.create(fish)) as number;
      assert.deepEqual(await tx.customEmoji.byName('fish'), { ...fish, id: second, deactivated: false });
      assert.deepEqual(await tx.customEmoji.byId(first), { ...fish, id: first, deactivated: true });
      assert.deepEqual(
        (await tx.customEmoji.all()).map(({ id }) => id),
        [first, second],
      );
    });
  });

  test('the picture of a custom emoji comes back byte for byte', async (t) => {
    const { storage } = await openFounded(t, engine);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await storage.write((tx) => tx.customEmoji.addImage({ file_name: 'a.png', content_type: 'image/png', bytes }));
    await storage.read(async (tx) => {
      const image = await tx.customEmoji.image('a.png');
      assert.equal(image?.content_type, 'image/png');
      assert.deepEqual(Buffer.from(image?.bytes ?? []), bytes);
      assert.equal(await tx.customEmoji.image('b.png'), undefined);
      assert.equal(await tx.customEmoji.count(), 0);
    });
  });

  test('an edited message keeps its other fields and gets the time of the edit', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, topic } = await place(tx);
      const id = await send(tx, Ada, await topic('x'));
      const before = await tx.messages.byId(id);
      const changed = { content: '/me b', rendered_content: '<p>b</p>', is_me_message: true };
      await tx.messages.edit(id, { ...changed, timestamp: MOVED });
      assert.deepEqual(await tx.messages.byId(id), { ...before, ...changed, last_edit_timestamp: MOVED });
    });
  });

  test('a moved message has the new topic and the time of the move, and stays read or unread', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, topic } = await place(tx);
      const [x, y] = [await topic('x'), await topic('y')];
      const ids = [await send(tx, Ada, x), await send(tx, Ada, x), await send(tx, Ada, x)];
      const [first, second, third] = ids as [number, number, number];
      await tx.readState.markRead(Bob.id, [first, third]);
      await tx.messages.move([first, second], x, y, MOVED);
      const found = await tx.messages.byIds(ids);
      assert.deepEqual(
        found.map((one) => [one.topic, one.last_moved_timestamp]),
        [
          ['y', MOVED],
          ['y', MOVED],
          ['x', null],
        ],
      );
      assert.deepEqual(
        (await tx.readState.unread(Bob.id, 10)).map((one) => one.id),
        [second],
      );
      assert.deepEqual(await tx.conversations.bounds(y.id), {
        first_id: first,
        first_timestamp: 1_700_000_000,
        last_id: second,
      });
      assert.deepEqual(await tx.messages.countSince(y.id, 1_700_000_000), {
        total: 2,
        recent: 2,
        first_recent_id: first,
      });
      assert.deepEqual(await tx.messages.countSince(y.id, 1_700_000_001), {
        total: 2,
        recent: 0,
        first_recent_id: null,
      });
    });
  });

  test('a whole topic can be renamed to the name of a topic without messages', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, channel, topic } = await place(tx);
      const [x, empty] = [await topic('x'), await topic('Empty')];
      const id = await send(tx, Ada, x);
      assert.equal(await tx.conversations.bounds(empty.id), undefined);
      await tx.conversations.rename(x, { channel_id: channel, topic: 'EMPTY' }, { timestamp: MOVED, up_to: id });
      const later = await send(tx, Ada, x);
      assert.equal((await tx.conversations.topic(channel, 'empty'))?.id, x.id);
      assert.equal(await tx.conversations.topic(channel, 'x'), undefined);
      assert.notEqual((await topic('x')).id, x.id);
      const found = await tx.messages.byIds([id, later]);
      assert.deepEqual(
        found.map((one) => [one.topic, one.last_moved_timestamp]),
        [
          ['EMPTY', MOVED],
          ['EMPTY', null],
        ],
      );
    });
  });

  test('a topic moved to another channel keeps unread messages for subscribers of that channel only', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, channel, topic } = await place(tx);
      const { Cyd, Dan, Eve } = await createUsers(tx, 'Cyd', 'Dan', 'Eve');
      const two = await createChannel(tx, 'two');
      const x = await topic('x');
      await subscribe(tx, channel, Cyd, Dan);
      // Bob subscribed to the new channel before the messages, Cyd and Eve between them, Dan never.
      await subscribe(tx, two, Bob);
      const first = await send(tx, Ada, x);
      await subscribe(tx, two, Cyd, Eve);
      const second = await send(tx, Ada, x);
      await unsubscribe(tx, channel, Bob);
      await subscribe(tx, channel, Bob);
      const third = await send(tx, Ada, x);
      await tx.readState.markRead(Cyd.id, [third]);
      await tx.readState.markRead(Dan.id, [first]);
      await tx.readState.markUnread(Dan.id, [first]);
      const unread = async () => {
        const all = [];
        for (const { id } of [Bob, Cyd, Dan, Eve])
          all.push((await tx.readState.unread(id, 10)).map((one) => one.id).reverse());
        return all;
      };
      assert.deepEqual(await unread(), [[third], [first, second], [first, second, third], []]);
      await tx.conversations.rename(x, { channel_id: two, topic: 'x' }, { timestamp: MOVED, up_to: third });
      assert.deepEqual(await unread(), [[third], [first, second], [], []]);
      await subscribe(tx, two, Dan);
      assert.deepEqual(await unread(), [[third], [first, second], [], []]);
    });
  });

  test('the edit history of a message has its own edits and those of each topic during its time there', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, channel, topic } = await place(tx);
      const [x, y] = [await topic('x'), await topic('y')];
      const [a, b] = [await send(tx, Ada, x), await send(tx, Ada, x)];
      const before = await tx.edits.add(edit(y, { up_to_message_id: b, prev_topic: 'before', topic: 'y' }));
      const content = await tx.edits.add(
        edit(x, { message_id: a, prev_content: 'old', prev_rendered_content: '<p>old</p>' }),
      );
      const whole = await tx.edits.add(edit(x, { up_to_message_id: b, prev_topic: 'x', topic: 'x2' }));
      const late = await send(tx, Ada, x);
      await tx.messages.move([a], x, y, MOVED);
      await tx.edits.addForEach(
        [a],
        edit(y, { prev_conversation_id: x.id, prev_topic: 'x2', topic: 'y', editor_id: Ada.id }),
      );
      const afterwards = await tx.edits.add(edit(x, { up_to_message_id: late, prev_topic: 'x2', topic: 'x3' }));
      const joined = await tx.edits.add(edit(y, { up_to_message_id: late, prev_channel_id: 7, channel_id: channel }));
      const ids = async (id: number) => {
        const message = await tx.messages.byId(id);
        const found = await tx.edits.ofMessages([message as NonNullable<typeof message>]);
        return (found.get(id) ?? []).map((one) => one.id);
      };
      const [, , own] = await ids(a);
      assert.deepEqual(await ids(a), [content, whole, own, joined]);
      assert.deepEqual(await ids(b), [whole, afterwards]);
      assert.deepEqual(await ids(late), [afterwards]);
      const together = await tx.edits.ofMessages(await tx.messages.byIds([a, b, late]));
      assert.deepEqual(
        [a, b, late].map((id) => together.get(id)?.map((one) => one.id)),
        [[content, whole, own, joined], [whole, afterwards], [afterwards]],
      );
      assert.deepEqual(await tx.edits.ofMessages([]), new Map());
      const [first] = together.get(a) ?? [];
      assert.deepEqual(first, {
        ...edit(x, { message_id: a, prev_content: 'old', prev_rendered_content: '<p>old</p>' }),
        id: content,
      });
      const [cut, ...others] =
        (await tx.edits.ofMessages(await tx.messages.byIds([a]), { characters: 12 })).get(a) ?? [];
      assert.deepEqual([cut?.id, cut?.prev_content, cut?.prev_rendered_content], [content, null, null]);
      assert.deepEqual(others, together.get(a)?.slice(1));
      const enough = await tx.edits.ofMessages(await tx.messages.byIds([a]), { characters: 13 });
      assert.deepEqual(enough.get(a), together.get(a));
      assert.deepEqual(await tx.edits.messagesMoved(whole), [a, b]);
      assert.deepEqual(await tx.edits.messagesMoved(afterwards), [b, late]);
      assert.deepEqual(await tx.edits.messagesMoved(joined), [a]);
      assert.deepEqual(await tx.edits.messagesMoved(before), []);
      const instead = await tx.edits.add(
        edit(x, { message_id: b, part_of: afterwards, prev_topic: 'x2', topic: 'x3' }),
      );
      assert.deepEqual(await ids(b), [whole, instead]);
    });
  });

  test('removing a message removes its flags, reactions, submessages and edits', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, topic } = await place(tx);
      const x = await topic('x');
      const ids = [await send(tx, Ada, x), await send(tx, Ada, x)] as const;
      const [id, other] = ids;
      for (const message_id of ids) {
        await tx.flags.set(Bob.id, [message_id], 'starred');
        await tx.reactions.add({
          message_id,
          user_id: Bob.id,
          reaction_type: 'unicode_emoji',
          emoji_code: '1f389',
          emoji_name: 'tada',
        });
        await tx.submessages.add({ message_id, sender_id: Bob.id, msg_type: 'widget', content: '{}' });
        await tx.edits.add(edit(x, { message_id, prev_content: 'old', prev_rendered_content: 'old' }));
      }
      assert.deepEqual(await tx.flags.holders([id, other]), [Bob.id]);
      assert.equal(await tx.messages.countAttached(ids, 100), 8);
      assert.equal(await tx.messages.countAttached(ids, 4), 4);
      assert.equal(await tx.messages.countAttached([id], 100), 4);
      assert.equal(await tx.messages.countAttached([], 100), 0);
      await tx.messages.remove([id]);
      await tx.messages.remove([]);
      assert.equal(await tx.messages.byId(id), undefined);
      assert.deepEqual(await tx.flags.messagesWith(Bob.id, 'starred', 10), [other]);
      assert.equal((await tx.reactions.of([id, other])).length, 1);
      assert.equal((await tx.submessages.of([id, other])).length, 1);
      assert.deepEqual(
        [...(await tx.edits.ofMessages(ids.map((one) => ({ id: one, conversation_id: x.id })))).keys()],
        [other],
      );
      assert.deepEqual(
        (await tx.readState.unread(Bob.id, 10)).map((one) => one.id),
        [other],
      );
      assert.ok((await send(tx, Ada, x)) > other);
    });
  });

  test('the queries for receivers, former receivers and readers of a message return the right users', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, channel, topic } = await place(tx);
      const { Cyd, Dan } = await createUsers(tx, 'Cyd', 'Dan');
      const x = await topic('x');
      await subscribe(tx, channel, Cyd);
      const first = await send(tx, Ada, x);
      await unsubscribe(tx, channel, Cyd);
      const second = await send(tx, Ada, x);
      await subscribe(tx, channel, Dan);
      const users = [Ada.id, Bob.id, Cyd.id, Dan.id];
      assert.deepEqual(
        await tx.messages.notReceived(users, [first, second], channel),
        new Map([
          [Cyd.id, [second]],
          [Dan.id, [first, second]],
        ]),
      );
      const elsewhere = await createChannel(tx, 'two');
      assert.deepEqual([...(await tx.messages.notReceived(users, [first], elsewhere)).keys()], users);
      assert.deepEqual(await tx.messages.formerReceivers(channel, { from_id: first, to_id: first }), [Cyd.id]);
      assert.deepEqual(await tx.messages.formerReceivers(channel, { from_id: second, to_id: second }), []);
      assert.deepEqual(await tx.readState.readersOf(first), [Ada.id, Cyd.id]);
      await tx.readState.markRead(Bob.id, [second]);
      assert.deepEqual(await tx.readState.readersOf(second), [Ada.id, Bob.id]);
      for (const { id } of [Bob, Dan]) await tx.flags.set(id, [first, second], 'starred');
      await tx.flags.forget([Bob.id], x.id, [first]);
      await tx.flags.forget([Dan.id], x.id);
      await tx.flags.forget([], x.id);
      assert.deepEqual(await tx.flags.messagesWith(Bob.id, 'starred', 10), [second]);
      assert.deepEqual(await tx.flags.messagesWith(Dan.id, 'starred', 10), []);
    });
  });

  test('marking all as read returns the messages that were unread, in a channel, a conversation or everywhere', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, channel, topic } = await place(tx);
      const [x, y] = [await topic('x'), await topic('y')];
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const [x1, y1, d1, x2] = [
        await send(tx, Ada, x),
        await send(tx, Ada, y),
        await send(tx, Ada, direct),
        await send(tx, Ada, x),
      ];
      await tx.readState.markRead(Bob.id, [x2]);
      assert.deepEqual(await markAllRead(tx, Bob.id, { conversation_id: x.id }), [x1]);
      assert.deepEqual(await markAllRead(tx, Bob.id, { conversation_id: x.id }), []);
      await tx.readState.markUnread(Bob.id, [x2]);
      assert.deepEqual(await markAllRead(tx, Bob.id, { channel_id: channel }), [y1, x2]);
      const x3 = await send(tx, Ada, x);
      assert.deepEqual(await markAllRead(tx, Bob.id), [d1, x3]);
      assert.deepEqual(await tx.readState.unread(Bob.id, 10), []);
    });
  });
}
