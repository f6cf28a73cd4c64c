import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { type Engine, testOn } from '../../../support/engines.ts';
import type { Phone } from '../phone.ts';
import { openPushPlace, type PushPlace, SITE } from '../places.ts';

/** A channel with all three users. */
const channelOf = async ({ ada, ids }: PushPlace) =>
  (await ada.channels.create({ name: 'general', subscribers: Object.values(ids) })).id;

const direct = ({ ada, ids }: PushPlace, content: string, to = ids.ben) =>
  ada.messages.send({ type: 'direct', to: [to], content });

const say = ({ ada }: PushPlace, to: number, content: string, topic = 'lunch') =>
  ada.messages.send({ type: 'channel', to, topic, content });

/** Notifications of a phone: type and text. */
const told = ({ relay }: PushPlace, phone: Phone) =>
  relay.readBy(phone).map(({ type, content, message_ids }) => [type, content ?? message_ids]);

/** Does all due work, including notifications that are collected for a moment. */
async function work({ chat, clock }: PushPlace, seconds = 5) {
  await chat.runDue();
  clock.advance({ seconds });
  await chat.runDue();
}

const leftInOutbox = ({ storage }: PushPlace) =>
  storage.read(async (tx) => {
    const kinds = ['push-message', 'push-batch', 'push-removal'];
    return (await Promise.all(kinds.map((kind) => tx.outbox.nextDue(kind)))).filter((due) => due !== undefined).length;
  });

export function phoneNotifications(engine: Engine): void {
  const test = testOn(engine);

  describe(`notifications of messages on ${engine.name}`, () => {
    test('a direct message notifies all phones of its recipient, and its notification is removed when read', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, chat, relay, clock } = place;
      const phones = [await place.phoneOf(ids.ben), await place.phoneOf(ids.ben, 'apns')];
      const own = await place.phoneOf(ids.ada);
      const { id } = await direct(place, 'Are you **there**, :tada:?');
      await chat.runDue();
      for (const phone of phones) {
        assert.deepEqual(relay.readBy(phone), [
          {
            type: 'message',
            realm_url: SITE,
            realm_name: 'Example',
            user_id: ids.ben,
            message_id: id,
            time: Math.floor(clock.now() / 1000),
            sender_id: ids.ada,
            sender_full_name: 'Ada',
            sender_avatar_url: relay.readBy(phone)[0]?.sender_avatar_url,
            recipient_type: 'direct',
            recipient_user_ids: [ids.ada, ids.ben],
            content: 'Are you there, 🎉?',
          },
        ]);
        assert.match(
          String(relay.readBy(phone)[0]?.sender_avatar_url),
          /^https:\/\/chat\.example\.com\/user_avatars\//,
        );
      }
      await ben.messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
      await work(place);
      for (const phone of phones) {
        assert.deepEqual(relay.readBy(phone).slice(1), [
          { type: 'remove', realm_url: SITE, realm_name: 'Example', user_id: ids.ben, message_ids: [id] },
        ]);
      }
      assert.deepEqual(told(place, own), []);
      assert.deepEqual(
        relay.deliveries.map(({ priority }) => priority),
        [
          ...['high', { apns_priority: 10, apns_push_type: 'alert' }],
          ...['normal', { apns_priority: 5, apns_push_type: 'background' }],
        ],
      );
      assert.equal(await leftInOutbox(place), 0);
      assert.deepEqual(place.failures, []);
    });

    test('the notification of a group message lists its participants and cuts long content', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, relay, chat } = place;
      const phone = await place.phoneOf(ids.cyd);
      await ada.messages.send({ type: 'direct', to: [ids.ben, ids.cyd], content: 'x'.repeat(300) });
      await chat.runDue();
      const [{ recipient_user_ids, pm_users, content } = assert.fail()] = relay.readBy(phone);
      const all = [ids.ada, ids.ben, ids.cyd];
      assert.deepEqual([recipient_user_ids, pm_users, content], [all, all.join(','), `${'x'.repeat(200)}…`]);
    });

    test('channel messages notify users according to their settings', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, ben, cyd, relay, chat } = place;
      const channel = await channelOf(place);
      const [bens, cyds] = [await place.phoneOf(ids.ben), await place.phoneOf(ids.cyd)];
      const user_group_id = (await ada.userGroups.create({ name: 'cooks', description: '', members: [ids.ben] }))
        .group_id;
      await cyd.alertWords.add({ alert_words: ['soup'] });
      // Ignores the welcome messages.
      await chat.runDue();
      const from = relay.deliveries.length;
      const heardBy = (phone: Phone) =>
        relay.deliveries
          .slice(from)
          .filter(({ device }) => device.token === phone.token)
          .map(({ payload }) => phone.open(payload.encrypted_data).content);
      const says = async (content: string, topic?: string) => {
        const { id } = await say(place, channel, content, topic);
        await chat.runDue();
        return id;
      };
      await says('nothing, but soup');
      const mention = await says('@**Ben** one');
      const alone = relay.readBy(bens).at(-1) ?? assert.fail();
      await says('@*cooks* two');
      const byGroup = relay.readBy(bens).at(-1) ?? assert.fail();
      await says('@**all** three');
      await cyd.userTopics.set({ stream_id: channel, topic: 'tea', visibility_policy: 3 });
      await says('four', 'tea');
      await ben.subscriptions.updateProperties({
        subscription_data: [{ stream_id: channel, property: 'push_notifications', value: true }],
      });
      await says('five', 'cake');
      const both = [heardBy(bens), heardBy(cyds)];
      assert.deepEqual(both, [
        ['@Ben one', '@cooks two', '@all three', 'five'],
        ['@all three', 'four'],
      ]);
      assert.deepEqual([byGroup.mentioned_user_group_id, byGroup.mentioned_user_group_name], [user_group_id, 'cooks']);
      const { sender_avatar_url: _, time: _time, ...rest } = alone;
      assert.deepEqual(rest, {
        type: 'message',
        realm_url: SITE,
        realm_name: 'Example',
        user_id: ids.ben,
        message_id: mention,
        sender_id: ids.ada,
        sender_full_name: 'Ada',
        recipient_type: 'channel',
        channel_id: channel,
        channel_name: 'general',
        topic: 'lunch',
        content: '@Ben one',
      });
    });

    test('a message that is read, unreadable or deleted sends no notification', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, ben, chat } = place;
      const channel = await channelOf(place);
      const phone = await place.phoneOf(ids.ben);
      const { id: read } = await direct(place, 'read');
      await ben.messages.updateFlags({ messages: [read], op: 'add', flag: 'read' });
      const { id: gone } = await direct(place, 'gone');
      await ada.messages.delete({ message_id: gone });
      await say(place, channel, '@**Ben** left');
      await ben.subscriptions.remove({ subscriptions: ['general'] });
      await ben.mutedUsers.add({ muted_user_id: ids.cyd });
      await place.cyd.messages.send({ type: 'direct', to: [ids.ben], content: 'muted' });
      await ada.settings.edit({ enable_offline_push_notifications: true });
      await work(place);
      assert.deepEqual(told(place, phone), []);
      assert.equal(await leftInOutbox(place), 0);
      await chat.close();
    });

    test('a message read while its notification waits sends none', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, relay } = place;
      const phone = await place.phoneOf(ids.ben);
      await relay.close();
      const [{ id: read }, { id: unread }] = [await direct(place, 'read'), await direct(place, 'unread')];
      await work(place, 1);
      await ben.messages.updateFlags({ messages: [read], op: 'add', flag: 'read' });
      await relay.reopen();
      await work(place, 600);
      await work(place, 600);
      assert.deepEqual(
        told(place, phone).filter(([type]) => type === 'message'),
        [['message', 'unread']],
      );
      assert.ok(unread > read);
    });

    test('a notification is given up when the relay is unreachable for an hour', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, relay, chat, clock } = place;
      const phone = await place.phoneOf(ids.ben);
      await relay.close();
      await direct(place, 'late');
      for (let minutes = 0; minutes < 90; minutes += 10) {
        await chat.runDue();
        clock.advance({ seconds: 600 });
      }
      await relay.reopen();
      await chat.runDue();
      assert.deepEqual(told(place, phone), []);
      assert.equal(await leftInOutbox(place), 0);
      assert.deepEqual(
        (await chat.givenUp()).map(({ kind }) => kind),
        ['push-batch'],
      );
    });

    test('read and deleted messages are removed from phones together, the newest 200 at most', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, ben } = place;
      const phone = await place.phoneOf(ids.ben);
      const sent: number[] = [];
      for (let n = 0; n < 205; n++) sent.push((await direct(place, `${n}`)).id);
      await work(place);
      assert.equal(told(place, phone).length, 205);
      await ben.messages.updateFlags({ messages: sent.slice(0, 3), op: 'add', flag: 'read' });
      await ben.messages.markAllRead();
      await work(place);
      assert.deepEqual(told(place, phone).slice(205), [['remove', sent.slice(5)]]);
      const { id } = await direct(place, 'a mistake');
      await work(place);
      await ada.messages.delete({ message_id: id });
      await work(place);
      assert.deepEqual(told(place, phone).slice(206), [
        ['message', 'a mistake'],
        ['remove', [id]],
      ]);
      // A phone without a notification of the message gets no removal.
      const { id: own } = await ben.messages.send({ type: 'direct', to: [ids.ada], content: 'mine' });
      await ben.messages.updateFlags({ messages: [own], op: 'add', flag: 'read' });
      await work(place);
      assert.equal(told(place, phone).length, 208);
    });

    test('an edit that mentions a user notifies that user once, and no others', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, cyd } = place;
      const channel = await channelOf(place);
      const [bens, cyds] = [await place.phoneOf(ids.ben), await place.phoneOf(ids.cyd)];
      await cyd.subscriptions.updateProperties({
        subscription_data: [{ stream_id: channel, property: 'push_notifications', value: true }],
      });
      const { id: message_id } = await say(place, channel, 'hello');
      await work(place);
      await cyd.messages.updateFlags({ messages: [message_id], op: 'add', flag: 'read' });
      await cyd.messages.updateFlags({ messages: [message_id], op: 'remove', flag: 'read' });
      await work(place);
      for (const content of ['hello @**Ben**', 'hello, @**Ben**']) {
        await ada.messages.edit({ message_id, content });
        await work(place);
      }
      assert.deepEqual(told(place, bens), [['message', 'hello @Ben']]);
      assert.deepEqual(told(place, cyds), [
        ['message', 'hello'],
        ['remove', [message_id]],
      ]);
    });

    test('a repeated push-message item of the outbox notifies no phone twice', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, chat, storage, clock } = place;
      const phone = await place.phoneOf(ids.ben);
      const { id: message_id } = await direct(place, 'once');
      await chat.runDue();
      await storage.write((tx) =>
        tx.outbox.add([{ kind: 'push-message', payload: { message_id }, due_ms: clock.now() }]),
      );
      await chat.runDue();
      assert.deepEqual(told(place, phone), [['message', 'once']]);
    });

    test('a phone gets notifications of messages sent by another process until the relay loses it', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, chat, relay } = place;
      const channel = await channelOf(place);
      const other = await place.another();
      const hear = async (content: string) => {
        await other.as(ids.ada).messages.send({ type: 'direct', to: [ids.ben], content });
        await other
          .as(ids.ada)
          .messages.send({ type: 'channel', to: channel, topic: 'x', content: `@**Ben** ${content}` });
      };
      // The other process has older devices in its cache.
      const cyds = await place.phoneOf(ids.cyd);
      await hear('before');
      await chat.runDue();
      const phone = await place.phoneOf(ids.ben);
      await hear('after');
      await chat.runDue();
      assert.deepEqual(told(place, phone).sort(), [
        ['message', '@Ben after'],
        ['message', 'after'],
      ]);
      relay.gone.add(phone.token);
      await hear('lost');
      await other.runDue();
      await hear('nobody');
      await chat.runDue();
      assert.equal(told(place, phone).length, 2);
      assert.deepEqual(told(place, cyds), [], 'users without a device get no notification');
      assert.deepEqual(
        await chat
          .as(ids.ben)
          .register({ fetch_event_types: ['push_device'] })
          .then(({ push_devices }) => push_devices),
        {},
      );
    });

    test('messages of a process without a relay are notified by a process with one', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, chat } = place;
      const phone = await place.phoneOf(ids.ben);
      const without = await place.another({ pushRelay: undefined });
      const beside = () => without.as(ids.ada).messages.send({ type: 'direct', to: [ids.ben], content: 'beside' });
      await beside();
      await chat.runDue();
      assert.deepEqual(told(place, phone), [['message', 'beside']]);
      await beside();
      await without.runDue();
      assert.equal(await leftInOutbox(place), 0, 'without a relay the outbox has no items');
    });

    test('two workers notify each phone once', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, chat } = place;
      const other = await place.another();
      const phones = [await place.phoneOf(ids.ben), await place.phoneOf(ids.cyd)];
      for (let n = 0; n < 10; n++) {
        await direct(place, `${n}`);
        await direct(place, `${n}`, ids.cyd);
      }
      await Promise.all([chat.runDue(), other.runDue()]);
      await Promise.all([chat.runDue(), other.runDue()]);
      for (const phone of phones) {
        const contents = told(place, phone).map(([, content]) => Number(content));
        assert.deepEqual(
          contents.sort((a, b) => a - b),
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        );
      }
    });

    test('a restricted guest gets notifications of hidden users from "Unknown user"', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ada, relay, chat } = place;
      const channel = await channelOf(place);
      const { system } = await systemGroups(place);
      await ada.organization.edit({ can_access_all_users_group: { new: system('role:members') } });
      const guest = (await ada.users.create({ email: 'gus@example.com', full_name: 'Gus' })).user_id;
      await ada.users.edit({ user_id: guest, role: 600 });
      const phone = await place.phoneOf(guest);
      await ada.subscriptions.add({ subscriptions: [{ name: 'general' }], principals: [guest] });
      await place.cyd.subscriptions.remove({ subscriptions: ['general'] });
      await place.cyd.messages.send({ type: 'channel', to: channel, topic: 'x', content: '@**Gus** who' });
      await say(place, channel, '@**Gus** me', 'x');
      await chat.runDue();
      const heard = relay
        .readBy(phone)
        .filter(({ recipient_type }) => recipient_type === 'channel')
        .map(({ content, sender_full_name }) => [content, sender_full_name]);
      assert.deepEqual(heard.sort(), [
        ['@Gus me', 'Ada'],
        ['@Gus who', 'Unknown user'],
      ]);
      assert.equal(
        relay.readBy(phone).find(({ content }) => content === '@Gus who')?.sender_avatar_url,
        `${SITE}/static/unknown-user-avatar.png`,
      );
    });

    test('without phones, sending takes no more statements with a relay and adds nothing to the outbox', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, storage } = place;
      const channel = await channelOf(place);
      const without = await place.another({ pushRelay: undefined });
      const counted = storage as unknown as { statements: number };
      await say(place, channel, 'first');
      const before = counted.statements;
      await say(place, channel, 'second');
      const here = counted.statements - before;
      await place.phoneOf(ids.ada);
      await say(place, channel, 'third, which finds no other user with a device');
      const again = counted.statements;
      await say(place, channel, 'fourth');
      assert.equal(counted.statements - again, here);
      assert.equal(await leftInOutbox(place), 0);
      await without.as(ids.ada).messages.send({ type: 'direct', to: [ids.ben], content: 'x' });
      assert.equal(await leftInOutbox(place), 0);
    });
  });
}

async function systemGroups({ ada }: PushPlace) {
  const { user_groups } = await ada.userGroups.list();
  return { system: (name: string) => user_groups.find((group) => group.name === name)?.id ?? assert.fail(name) };
}
