import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ChatError } from '../../../../lib/index.ts';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { assertDeclared } from '../../../world/declared-errors.ts';
import { operationNamed } from '../../../world/run-cases.ts';
import { openPushPlace, type PushPlace, SITE } from '../places.ts';

const APPLE = { token: 'c0ffee', appid: 'org.example.chat' };

const direct = ({ ada, ids }: PushPlace, content: string, to = [ids.ben]) =>
  ada.messages.send({ type: 'direct', to, content });

/** Payloads for a token of Google's service: kind and text. */
const told = ({ relay }: PushPlace, token: string) =>
  relay.plainFor(token).map(({ event, content, zulip_message_ids }) => [event, content ?? zulip_message_ids]);

const alerts = ({ relay }: PushPlace) =>
  relay.plainFor(APPLE.token).map(({ aps }) => (aps as { alert: Record<string, string> }).alert);

/** Does all due work, including notifications that are collected for a moment. */
async function work({ chat, clock }: PushPlace, seconds = 5) {
  await chat.runDue();
  clock.advance({ seconds });
  await chat.runDue();
}

const tokensOf = async ({ storage }: PushPlace, user: number) =>
  (await storage.read((tx) => tx.pushTokens.of(user))).map(({ token }) => token);

const channelOf = async ({ ada, ids }: PushPlace) =>
  (await ada.channels.create({ name: 'general', subscribers: Object.values(ids) })).id;

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`notifications that are not encrypted on ${engine.name}`, () => {
    test("B11: a test notification reaches all tokens in their service's form", async (t) => {
      const place = await openPushPlace(t, engine);
      const { ben, relay, clock } = place;
      await ben.push.addFcmToken({ token: 'droid' });
      await ben.push.addApnsToken(APPLE);
      await ben.push.sendPlainTest();
      const time = String(Math.floor(clock.now() / 1000));
      const [android] = relay.plainFor('droid');
      assert.deepEqual([android?.event, android?.time, android?.realm_name], ['test', time, 'Example']);
      assert.deepEqual(alerts(place), [
        { title: 'Test notification', body: `This is a test notification from Example (${SITE}).` },
      ]);
      await ben.push.sendPlainTest({ token: 'droid' });
      assert.deepEqual([relay.plainFor('droid').length, relay.plainFor(APPLE.token).length], [2, 2]);
    });

    test('a failed test notification has the error code of its cause, which the operation declares', async (t) => {
      const { ben, relay } = await openPushPlace(t, engine);
      await ben.push.addFcmToken({ token: 'droid' });
      const fails = async (code: string) => {
        const error = await ben.push.sendPlainTest().then(
          () => assert.fail(),
          (error: ChatError) => error,
        );
        assert.equal(error.code, code);
        assertDeclared(operationNamed('push.sendPlainTest'), error);
      };
      relay.fault = true;
      await fails('INTERNAL_SERVER_ERROR_ON_BOUNCER');
      await relay.close();
      await fails('FAILED_TO_CONNECT_BOUNCER');
    });

    test("a message sends each legacy token a notification in its service's form, and a removal when read", async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, relay, clock } = place;
      await ben.push.addFcmToken({ token: 'droid' });
      await ben.push.addApnsToken(APPLE);
      const { id } = await direct(place, 'Are you **there**?');
      const time = Math.floor(clock.now() / 1000);
      await work(place);
      const [android = assert.fail()] = relay.plainFor('droid');
      const avatar = android.sender_avatar_url;
      assert.match(String(avatar), /^https:\/\/chat\.example\.com\/user_avatars\//);
      const about = { server: 'chat.example.com', realm_uri: SITE, realm_url: SITE, realm_name: 'Example' };
      assert.deepEqual(android, {
        ...about,
        realm_id: '1',
        user_id: String(ids.ben),
        event: 'message',
        zulip_message_id: String(id),
        sender_id: String(ids.ada),
        sender_email: `user${ids.ada}@chat.example.com`,
        sender_full_name: 'Ada',
        sender_avatar_url: avatar,
        time: String(time),
        recipient_type: 'private',
        content: 'Are you there?',
        content_truncated: 'false',
      });
      const { sender_email, ...sender } = { sender_id: ids.ada, sender_email: android.sender_email };
      assert.deepEqual(relay.plainFor(APPLE.token), [
        {
          aps: { alert: { title: 'Ada', subtitle: '', body: 'Are you there?' }, sound: 'default', badge: 0 },
          zulip: {
            ...about,
            realm_id: 1,
            user_id: ids.ben,
            ...sender,
            sender_email,
            time,
            recipient_type: 'private',
            message_ids: [id],
          },
        },
      ]);
      assert.deepEqual(
        relay.deliveries.map(({ priority }) => priority),
        ['high', 'alert'],
      );
      const { id: other } = await direct(place, 'Well?');
      await work(place);
      await ben.messages.updateFlags({ messages: [id, other], op: 'add', flag: 'read' });
      await work(place);
      assert.deepEqual(relay.plainFor('droid').at(-1), {
        ...about,
        realm_id: '1',
        user_id: String(ids.ben),
        event: 'remove',
        zulip_message_ids: `${id},${other}`,
        zulip_message_id: String(id),
      });
      assert.deepEqual(relay.plainFor(APPLE.token).at(-1), {
        aps: { badge: 0 },
        zulip: { ...about, realm_id: 1, user_id: ids.ben, event: 'remove', zulip_message_ids: `${id},${other}` },
      });
      assert.deepEqual(
        relay.deliveries.slice(-2).map(({ priority }) => priority),
        ['normal', 'background'],
      );
    });

    test('a legacy notification has the channel and topic of the message and the reason', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, ben, relay } = place;
      const channel = await channelOf(place);
      const { group_id: group } = await ada.userGroups.create({ name: 'cooks', description: '', members: [ids.ben] });
      await ben.push.addApnsToken(APPLE);
      await ben.push.addFcmToken({ token: 'droid' });
      await ben.subscriptions.updateProperties({
        subscription_data: [{ stream_id: channel, property: 'push_notifications', value: true }],
      });
      for (const content of ['soup', '@**Ben** one', '@*cooks* two', '@**all** three']) {
        await ada.messages.send({ type: 'channel', to: channel, topic: 'lunch', content });
        await work(place);
      }
      await direct(place, `four ${'x'.repeat(300)}`, [ids.ben, ids.cyd]);
      await work(place);
      const title = '#general > lunch';
      assert.deepEqual(alerts(place), [
        { title, subtitle: 'Ada:', body: 'soup' },
        { title, subtitle: 'Ada mentioned you:', body: '@Ben one' },
        { title, subtitle: 'Ada mentioned @cooks:', body: '@cooks two' },
        { title, subtitle: 'Ada mentioned everyone:', body: '@all three' },
        { title: 'Ada, Ben, Cyd', subtitle: 'Ada:', body: `four ${'x'.repeat(195)}…` },
      ]);
      const [said = assert.fail(), , byGroup = assert.fail(), , whispered = assert.fail()] = relay.plainFor('droid');
      assert.deepEqual(
        [said.recipient_type, said.stream, said.stream_id, said.topic],
        ['stream', 'general', String(channel), 'lunch'],
      );
      assert.deepEqual(
        [byGroup.mentioned_user_group_id, byGroup.mentioned_user_group_name, said.mentioned_user_group_id],
        [String(group), 'cooks', undefined],
      );
      assert.deepEqual([whispered.pm_users, whispered.content_truncated], [Object.values(ids).join(','), 'true']);
    });

    test('a user with an encrypted device and a legacy token gets one notification on each', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, cyd, relay } = place;
      const phone = await place.phoneOf(ids.ben);
      await ben.push.addFcmToken({ token: 'droid' });
      await cyd.push.addFcmToken({ token: 'droid' });
      const { id } = await direct(place, 'hello');
      await work(place);
      assert.deepEqual(
        relay.readBy(phone).map(({ content }) => content),
        ['hello'],
      );
      assert.deepEqual(told(place, 'droid'), [['message', 'hello']]);
      await ben.messages.updateFlags({ messages: [id], op: 'add', flag: 'read' });
      await work(place);
      assert.equal(relay.readBy(phone).at(-1)?.type, 'remove');
      assert.deepEqual(told(place, 'droid').at(-1), ['remove', String(id)]);
      assert.equal(relay.deliveries.length, 4);
    });

    test('a message that is read, unreadable or deleted sends no legacy notification', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, ben } = place;
      const channel = await channelOf(place);
      await ben.push.addFcmToken({ token: 'droid' });
      const { id: read } = await direct(place, 'read');
      const { id: gone } = await direct(place, 'gone');
      await ada.messages.send({ type: 'channel', to: channel, topic: 'x', content: '@**Ben** left' });
      await direct(place, 'left');
      await ben.messages.updateFlags({ messages: [read], op: 'add', flag: 'read' });
      await ada.messages.delete({ message_id: gone });
      await ada.subscriptions.remove({ subscriptions: ['general'], principals: [ids.ben] });
      await ada.channels.edit({ stream_id: channel, is_private: true });
      await work(place);
      assert.deepEqual(told(place, 'droid'), [['message', 'left']]);
    });

    test('require_e2ee_push_notifications hides the content in legacy notifications', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, ben, relay } = place;
      const phone = await place.phoneOf(ids.ben);
      await ben.push.addFcmToken({ token: 'droid' });
      await ben.push.addApnsToken(APPLE);
      await direct(place, 'secret before');
      await ada.organization.edit({ require_e2ee_push_notifications: true });
      await work(place);
      assert.deepEqual(told(place, 'droid'), [['message', 'You have a new message.']]);
      assert.deepEqual(alerts(place), [{ title: 'Ada', subtitle: '', body: 'You have a new message.' }]);
      assert.deepEqual(
        relay.readBy(phone).map(({ content }) => content),
        ['secret before'],
      );
      assert.doesNotMatch(
        JSON.stringify(relay.deliveries.filter(({ device }) => device.token !== phone.token)),
        /secret/,
      );
    });

    test('a legacy token that its service no longer knows is removed, and tokens of others stay', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, cyd, relay } = place;
      await ben.push.addFcmToken({ token: 'droid' });
      await ben.push.addFcmToken({ token: 'tablet' });
      await ben.push.addApnsToken(APPLE);
      await cyd.push.addFcmToken({ token: 'droid' });
      relay.gone.add('droid').add(APPLE.token);
      await direct(place, 'hello');
      await work(place);
      assert.deepEqual([await tokensOf(place, ids.ben), await tokensOf(place, ids.cyd)], [['tablet'], ['droid']]);
      assert.deepEqual(told(place, 'tablet'), [['message', 'hello']]);
      relay.gone.add('tablet');
      await direct(place, 'anybody?');
      await work(place);
      assert.deepEqual(await tokensOf(place, ids.ben), []);
      await direct(place, 'nobody');
      assert.equal(await place.storage.read((tx) => tx.outbox.nextDue('push-message')), undefined);
    });

    test('a removed legacy token gets no notification, and one added by another process gets them at once', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, ben } = place;
      const other = await place.another();
      const hear = async (content: string) => {
        await other.as(ids.ada).messages.send({ type: 'direct', to: [ids.ben], content });
        await work(place);
      };
      // The other process has older tokens in its cache.
      await ada.push.addFcmToken({ token: 'adas' });
      await hear('before');
      await ben.push.addFcmToken({ token: 'droid' });
      await hear('after');
      await other.as(ids.ada).messages.send({ type: 'direct', to: [ids.ben], content: 'in between' });
      await ben.push.removeFcmToken({ token: 'droid' });
      await work(place);
      await hear('late');
      assert.deepEqual(told(place, 'droid'), [['message', 'after']]);
      assert.deepEqual(told(place, 'adas'), []);
    });

    test("a new API key removes the user's legacy tokens, from the relay too", async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, relay } = place;
      await ben.push.addFcmToken({ token: 'lost' });
      await ben.push.addFcmToken({ token: 'kept' });
      await relay.close();
      await ben.users.regenerateApiKey();
      await work(place);
      await relay.reopen();
      await ben.push.addFcmToken({ token: 'kept' });
      await work(place, 60);
      assert.deepEqual(await tokensOf(place, ids.ben), ['kept']);
      assert.deepEqual(
        relay.tokens.map(({ token }) => token),
        ['kept'],
      );
      await direct(place, 'secret');
      await work(place);
      assert.deepEqual([told(place, 'lost'), told(place, 'kept')], [[], [['message', 'secret']]]);
    });

    test('legacy notifications are retried while the relay fails, and no device gets one twice', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, cyd, relay } = place;
      const phone = await place.phoneOf(ids.cyd);
      await ben.push.addFcmToken({ token: 'bens' });
      await cyd.push.addFcmToken({ token: 'cyds' });
      await relay.close();
      await direct(place, 'waiting', [ids.ben, ids.cyd]);
      await work(place);
      await relay.reopen();
      // The relay fails for one of the tokens.
      relay.failing.add('cyds');
      await work(place, 60);
      assert.deepEqual([told(place, 'bens').length, relay.readBy(phone).length], [1, 1]);
      await work(place, 60);
      relay.failing.clear();
      await work(place, 600);
      await work(place, 600);
      assert.deepEqual(
        [told(place, 'bens'), told(place, 'cyds')],
        [[['message', 'waiting']], [['message', 'waiting']]],
      );
      assert.equal(relay.readBy(phone).length, 1);
    });

    test('the rest of a batch of legacy notifications is given up an hour after the message', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ben, cyd, relay, chat } = place;
      await ben.push.addFcmToken({ token: 'bens' });
      await cyd.push.addFcmToken({ token: 'cyds' });
      relay.failing.add('cyds');
      await direct(place, 'late', [ids.ben, ids.cyd]);
      for (let minutes = 0; minutes < 130; minutes += 10) await work(place, 600);
      relay.failing.clear();
      await work(place, 3_600);
      assert.deepEqual([told(place, 'bens').length, told(place, 'cyds').length], [1, 0]);
      assert.deepEqual(
        (await chat.givenUp()).map(({ kind }) => kind),
        ['push-batch'],
      );
    });

    test('a restricted guest gets legacy notifications of hidden users from "Unknown user"', async (t) => {
      const place = await openPushPlace(t, engine);
      const { ids, ada, cyd, chat, relay } = place;
      const channel = await channelOf(place);
      const { user_groups } = await ada.userGroups.list();
      const members = user_groups.find(({ name }) => name === 'role:members')?.id ?? assert.fail();
      await ada.organization.edit({ can_access_all_users_group: { new: members } });
      const guest = (await ada.users.create({ email: 'gus@example.com', full_name: 'Gus' })).user_id;
      await ada.users.edit({ user_id: guest, role: 600 });
      await chat.as(guest).push.addFcmToken({ token: 'droid' });
      await chat.as(guest).push.addApnsToken(APPLE);
      await ada.subscriptions.add({ subscriptions: [{ name: 'general' }], principals: [guest] });
      await cyd.subscriptions.remove({ subscriptions: ['general'] });
      await cyd.messages.send({ type: 'channel', to: channel, topic: 'x', content: '@**Gus** who' });
      await work(place);
      const [heard = assert.fail()] = relay.plainFor('droid').filter(({ content }) => content === '@Gus who');
      assert.deepEqual(
        [heard.sender_full_name, heard.sender_avatar_url, heard.sender_email],
        ['Unknown user', `${SITE}/static/unknown-user-avatar.png`, `user${ids.cyd}@chat.example.com`],
      );
      assert.doesNotMatch(JSON.stringify(relay.deliveries), /Cyd|cyd@/);
    });

    test("realm_push_notifications_enabled follows the relay's responses to legacy notifications", async (t) => {
      const place = await openPushPlace(t, engine);
      const { ben, relay } = place;
      const enabled = async () =>
        (await ben.register({ fetch_event_types: ['realm'] })).realm_push_notifications_enabled;
      await ben.push.addFcmToken({ token: 'droid' });
      relay.isRegistered = false;
      await direct(place, 'hello');
      await work(place);
      assert.equal(await enabled(), false);
      relay.isRegistered = true;
      await work(place, 60);
      assert.equal(await enabled(), true);
      assert.deepEqual(told(place, 'droid'), [['message', 'hello']]);
    });
  });
}
