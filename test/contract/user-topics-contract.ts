import assert from 'node:assert/strict';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, newUser, openFounded, send, subscribe, unsubscribe } from './fixtures.ts';

export function userTopicsContract(engine: Engine): void {
  const test = testOn(engine);

  test('the policy of a topic is found by name in any case, and setting it again replaces it', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const one = await createChannel(tx, 'one');
      const two = await createChannel(tx, 'two');
      const lunch = { channel_id: one, topic: 'Lunch', visibility_policy: 1 as const, last_updated: 5 };
      await tx.userTopics.set([Ada.id, Bob.id], lunch);
      await tx.userTopics.set([Ada.id], { ...lunch, topic: 'LUNCH', visibility_policy: 3, last_updated: 6 });
      await tx.userTopics.set([Ada.id], { ...lunch, channel_id: two, topic: '' });
      const shown = { user_id: Ada.id, channel_id: one, topic: 'LUNCH', visibility_policy: 3, last_updated: 6 };
      assert.deepEqual(await tx.userTopics.get(Ada.id, { channel_id: one, topic: 'lunch' }), shown);
      assert.deepEqual(await tx.userTopics.ofUser(Ada.id), [
        shown,
        { ...lunch, user_id: Ada.id, channel_id: two, topic: '' },
      ]);
      assert.deepEqual(await tx.userTopics.inChannels([one], [Bob.id, Ada.id], 9), [
        shown,
        { ...lunch, user_id: Bob.id },
      ]);
      const both = await tx.userTopics.ofTopics([
        { channel_id: one, topic: 'lunch' },
        { channel_id: two, topic: '' },
      ]);
      assert.deepEqual(
        both.map((topic) => [topic.user_id, topic.channel_id]),
        [
          [Ada.id, one],
          [Ada.id, two],
          [Bob.id, one],
        ],
      );
      const ofTopic = async (after: number, limit: number) =>
        (await tx.userTopics.ofTopic({ channel_id: one, topic: 'Lunch' }, after, limit)).map((topic) => topic.user_id);
      assert.deepEqual(await ofTopic(0, 9), [Ada.id, Bob.id]);
      assert.deepEqual(await ofTopic(0, 1), [Ada.id]);
      assert.deepEqual(await ofTopic(Ada.id, 9), [Bob.id]);
      assert.equal(await tx.userTopics.count(Ada.id), 2);
      await tx.userTopics.remove([Ada.id, Bob.id], { channel_id: one, topic: 'lunch' });
      assert.deepEqual([await tx.userTopics.count(Ada.id), await tx.userTopics.count(Bob.id)], [1, 0]);
    });
  });

  test('policies of a topic move to another topic, or to another spelling of its name', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const one = await createChannel(tx, 'one');
      const two = await createChannel(tx, 'two');
      const lunch = { channel_id: one, topic: 'Lunch', visibility_policy: 3 as const, last_updated: 5 };
      await tx.userTopics.set([Ada.id, Cyd.id], lunch);
      await tx.userTopics.set([Bob.id], { ...lunch, visibility_policy: 1 });
      await tx.userTopics.move([Ada.id, Bob.id], lunch, { channel_id: two, topic: 'Dinner', last_updated: 9 });
      await tx.userTopics.move([Cyd.id], lunch, { ...lunch, topic: 'LUNCH', last_updated: 9 });
      const dinner = { channel_id: two, topic: 'Dinner', last_updated: 9 };
      assert.deepEqual(await tx.userTopics.ofTopics([lunch, { ...dinner, topic: 'dinner' }]), [
        { ...dinner, user_id: Ada.id, visibility_policy: 3 },
        { ...dinner, user_id: Bob.id, visibility_policy: 1 },
        { ...lunch, user_id: Cyd.id, topic: 'LUNCH', last_updated: 9 },
      ]);
    });
  });

  test('mentioned users follow the topic unless they opted out, are bots, are deactivated or muted it', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const unwilling = await tx.users.create(
        newUser('Dan', { settings: { automatically_follow_topics_where_mentioned: false } }),
      );
      const gone = await tx.users.create(newUser('Eve', { is_active: false }));
      const bot = await tx.users.create(newUser('Fay', { bot_type: 1 }));
      const topic = { channel_id: await createChannel(tx, 'one'), topic: 'x', last_updated: 7 };
      await tx.userTopics.set([Bob.id], { ...topic, visibility_policy: 1 });
      await tx.userTopics.set([Cyd.id], { ...topic, visibility_policy: 2 });
      const userIds = [Cyd, Ada, Bob, unwilling, gone, bot].map((user) => user.id);
      const { Gil } = await createUsers(tx, 'Gil');
      await subscribe(tx, topic.channel_id, Ada, Bob, Cyd, unwilling, gone, bot, Gil);
      const message = await send(tx, Gil, await tx.conversations.ensureTopic(topic.channel_id, 'x'));
      await tx.flags.setForReaders(message, userIds, 'mentioned');
      const named = [...userIds, Gil.id];
      assert.deepEqual(await tx.userTopics.followWhereMentioned(message, named, topic), [Ada.id, Cyd.id]);
      assert.deepEqual(await tx.userTopics.followWhereMentioned(message, named, topic), []);
      const stored = await tx.userTopics.inChannels([topic.channel_id], userIds, 100);
      assert.deepEqual(
        stored.map((one) => [one.user_id, one.visibility_policy]),
        [
          [Ada.id, 3],
          [Bob.id, 1],
          [Cyd.id, 3],
        ],
      );
    });
  });

  test('a topic has messages for all users, or only for users who received one', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob, one, alpha } = await storage.write(async (tx) => {
      const users = await createUsers(tx, 'Ada', 'Bob');
      const one = await createChannel(tx, 'one');
      await subscribe(tx, one, users.Ada);
      return { ...users, one, alpha: await tx.conversations.ensureTopic(one, 'alpha') };
    });
    const has = (receivedOnly: boolean, user = Ada) =>
      storage.read(async (tx) => (await tx.userTopics.standing(user.id, alpha, { receivedOnly })).has_messages);
    assert.deepEqual([await has(false), await has(true)], [false, false]);
    await storage.write((tx) => send(tx, Bob, alpha));
    assert.deepEqual([await has(false), await has(true), await has(true, Bob)], [true, true, false]);
    await storage.write((tx) => subscribe(tx, one, Bob));
    assert.equal(await has(true, Bob), false, 'a message from before the subscription is not received');
    const muted = (user = Ada) =>
      storage.read(async (tx) => (await tx.userTopics.standing(user.id, alpha)).is_channel_muted);
    await storage.write((tx) => tx.subscriptions.update(Ada.id, 'is_muted', new Map([[one, true]])));
    assert.deepEqual([await muted(), await muted(Bob)], [true, false]);
    await storage.write((tx) => unsubscribe(tx, one, Ada));
    assert.equal(await muted(), false);
  });

  test('folders can be reordered and updated', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const folder = { description: '', rendered_description: '', creator_id: null, created_ms: 1, is_archived: false };
      const ids: number[] = [];
      for (const name of ['a', 'b', 'c']) ids.push(await tx.channels.createFolder({ ...folder, name }));
      const [a, b, c] = ids as [number, number, number];
      await tx.channels.reorderFolders([c, a, b]);
      await tx.channels.updateFolder(a, { name: 'A', is_archived: true });
      assert.deepEqual(
        (await tx.channels.folders()).map((one) => [one.id, one.name, one.is_archived, one.order]),
        [
          [c, 'c', false, 1],
          [a, 'A', true, 2],
          [b, 'b', false, 3],
        ],
      );
    });
  });
}
