import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { operationNamed } from '../../../../lib/catalogue.ts';
import type { ChatOptions, Session } from '../../../../lib/index.ts';
import { transportOf } from '../../../../lib/internal.ts';
import { type Engine, featureEngines, testOn } from '../../../support/engines.ts';
import { Gate } from '../../../support/gate.ts';
import { until } from '../../../support/until.ts';
import { openPushPlace, SITE } from '../places.ts';
import { PushService, type SubscribedBrowser } from './push-service.ts';

async function open(t: TestContext, engine: Engine, options: Partial<ChatOptions> = {}) {
  const service = await PushService.open(t);
  const place = await openPushPlace(t, engine, {
    outgoingWebhooks: { allowPrivateAddresses: ['127.0.0.1'] },
    ...options,
  });
  const { chat, clock, storage, ids, ada } = place;
  return {
    ...place,
    service,
    async browserOf(session: Session): Promise<SubscribedBrowser> {
      const browser = service.subscribe();
      await session.push.addBrowser({ ...browser });
      return browser;
    },
    /** Texts that a browser got since the last call. */
    shown(browser: SubscribedBrowser) {
      const all = service.received(browser.endpoint).splice(0);
      return all.map(({ type, title, body, message_ids }) => (type === 'message' ? [title, body] : message_ids));
    },
    async tell(content = 'Hello', to = ids.ben) {
      const { id } = await ada.messages.send({ type: 'direct', to: [to], content });
      await chat.runDue();
      clock.advance({ seconds: 5 });
      await chat.runDue();
      return id;
    },
    stored: async () => (await storage.read((tx) => tx.pushBrowsers.ofAll(Object.values(ids)))).length,
  };
}

async function idsOfUnread(session: Session): Promise<number[]> {
  const { messages } = await session.messages.list({ anchor: 'newest', num_before: 9, narrow: [['is', 'unread']] });
  return messages.map(({ id }) => id);
}

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`push notifications in browsers on ${engine.name}`, () => {
    test('a message is shown in each browser of its reader, and closed when the reader has read it', async (t) => {
      const place = await open(t, engine);
      const { ben, ids, clock, chat, service, browserOf, tell, shown, relay } = place;
      const browsers = [await browserOf(ben), await browserOf(ben)] as const;
      const phone = await place.phoneOf(ids.ben);
      const id = await tell('Are you **there**, :tada:?');
      const [got] = service.received(browsers[0].endpoint);
      assert.deepEqual(got, {
        type: 'message',
        message_id: id,
        user_id: ids.ben,
        tag: got?.tag,
        badge: 1,
        time: Math.floor((clock.now() - 5_000) / 1000),
        title: 'Ada',
        icon: got?.icon,
        url: `${SITE}/#narrow/dm/${ids.ada},${ids.ben}/near/${id}`,
        body: 'Are you there, 🎉?',
      });
      assert.equal(service.received(browsers[1].endpoint).length, 1);
      assert.equal(relay.readBy(phone).length, 1, 'a phone of the same user is notified too');
      const next = await tell('Hello?');
      assert.deepEqual(
        service.received(browsers[0].endpoint).map(({ badge, tag }) => [badge, tag === got?.tag]),
        [
          [1, true],
          [2, true],
        ],
      );
      for (const browser of browsers) shown(browser);
      await ben.messages.updateFlags({ messages: [id, next], op: 'add', flag: 'read' });
      clock.advance({ seconds: 5 });
      await chat.runDue();
      const [removal] = service.received(browsers[0].endpoint);
      assert.deepEqual(removal, { type: 'remove', message_ids: [id, next], badge: 0 });
      assert.deepEqual(shown(browsers[1]), [[id, next]]);
      assert.deepEqual(place.failures, []);
    });

    test('a user whose push service hangs takes few of the places of sending', async (t) => {
      const { ada, ben, cyd, ids, chat, browserOf, service } = await open(t, engine);
      const gate = new Gate();
      t.after(() => gate.open());
      for (let n = 0; n < 10; n++) service.hanging.set((await browserOf(ben)).endpoint, gate.opened);
      const quick = await browserOf(cyd);
      // 50 requests for Ben come before that for Cyd.
      for (let n = 0; n < 5; n++) await ada.messages.send({ type: 'direct', to: [ids.ben], content: 'Hello' });
      await ada.messages.send({ type: 'direct', to: [ids.cyd], content: 'Hello' });
      const running = chat.runDue();
      await until('Cyd is notified', () => service.received(quick.endpoint).length === 1);
      // Four, and four more whose timeout the push service has not noticed.
      assert.ok(service.waits.most >= 4 && service.waits.most <= 8, `${service.waits.most} requests at once`);
      gate.open();
      await running;
    });

    test('a browser shows the channel and the reason, and no text that its user has turned off', async (t) => {
      const place = await open(t, engine);
      const { ada, ben, cyd, ids, chat, browserOf, tell, shown, service } = place;
      const browser = await browserOf(ben);
      const other = await browserOf(cyd);
      const { id: to } = await ada.channels.create({ name: 'general', subscribers: Object.values(ids) });
      await ada.messages.send({ type: 'channel', to, topic: 'lunch', content: '@**Ben** soup?' });
      await chat.runDue();
      await ben.settings.edit({ pm_content_in_desktop_notifications: false });
      await cyd.mutedUsers.add({ muted_user_id: ids.ada });
      await tell('secret');
      await tell('muted', ids.cyd);
      assert.deepEqual(shown(browser), [
        ['#general > lunch', 'Ada mentioned you: @Ben soup?'],
        ['Ada', 'You have a new message.'],
      ]);
      assert.deepEqual(shown(other), []);
      await ada.settings.edit({ full_name: '🦩'.repeat(99) });
      const topic = '🦩'.repeat(60);
      await ada.messages.send({ type: 'channel', to, topic, content: `@**Ben** ${'"🦩'.repeat(2_000)}` });
      await chat.runDue();
      assert.ok(Number(service.requests.at(-1)?.bytes) < 4_096, 'push services accept 4096 bytes');
      assert.equal(service.received(browser.endpoint).length, 1);
    });

    test('a browser gets nothing more after its account has another key, password or login', async (t) => {
      const { ada, ben, ids, clock, browserOf, shown, tell, stored } = await open(t, engine);
      const other = await browserOf(ada);
      const ends: Record<string, () => Promise<unknown>> = {
        'a new API key': () => ben.users.regenerateApiKey(),
        'an end of all logins': () => ben.tokens.revoke(),
        'a new password': () => ada.users.setPassword({ user_id: ids.ben, password: 'correct horse battery' }),
        'a month without a visit': async () => clock.advance({ hours: 30 * 24 }),
        'a deactivation': () => ada.users.deactivate({ user_id: ids.ben }),
      };
      for (const [what, end] of Object.entries(ends)) {
        const browser = await browserOf(ben);
        await tell();
        assert.equal(shown(browser).length, 1, what);
        await end();
        await tell().catch(() => undefined);
        assert.deepEqual(shown(browser), [], what);
      }
      assert.deepEqual([shown(other), await stored()], [[], 2], 'deactivated users are no candidates');
    });

    test('a browser belongs to the account that added it last', async (t) => {
      const { ben, cyd, ids, browserOf, shown, tell, service } = await open(t, engine);
      const browser = await browserOf(ben);
      const { endpoint } = browser;
      await cyd.push.addBrowser({ ...browser });
      await tell('for Ben');
      await tell('for Cyd', ids.cyd);
      assert.deepEqual(shown(browser), [['Ada', 'for Cyd']]);
      await ben.push.removeBrowser({ endpoint });
      await tell('for Cyd', ids.cyd);
      assert.equal(shown(browser).length, 1, 'another account cannot remove it');
      await cyd.push.removeBrowser({ endpoint });
      await tell('for Cyd', ids.cyd);
      assert.deepEqual(shown(browser), []);
      for (let n = 0; n < 11; n++) {
        const next = service.subscribe();
        await ben.push.addBrowser({ ...next });
        if (n === 0) Object.assign(browser, next);
      }
      await tell('to ten');
      assert.deepEqual([shown(browser), service.requests.filter(({ bytes }) => bytes > 0).length], [[], 12]);
    });

    test('a browser that a token has added gets what the token sees, for rooms until a token of the account is revoked', async (t) => {
      const { chat, clock, ben, ids, service, shown, tell } = await open(t, engine);
      const { engine: calls } = transportOf(chat);
      await chat.sync({ users: [{ external_id: 'b', name: 'Ben', email: 'ben@example.com' }] });
      for (const external_id of ['one', 'two'])
        await chat.rooms.ensure({ external_id, name: external_id, members: [{ external_id: 'b' }] });
      const withToken = async (rooms?: string[]) => {
        const browser = service.subscribe();
        const { token_id, expires_at } = await ben.tokens.create(rooms ? { rooms } : {});
        const roomIds = rooms && (await Promise.all(rooms.map((room) => chat.idOf('channel', room))));
        const login = {
          ...{ kind: 'token' as const, id: token_id, expiresAt: expires_at, mayWrite: true, loginGeneration: 0 },
          rooms: roomIds as number[] | undefined,
        };
        const caller = { userId: ids.ben, client: 'test', login };
        await calls.call(operationNamed('push.addBrowser'), caller, { ...browser });
        return { browser, token_id };
      };
      const whole = await withToken();
      const limited = await withToken(['one']);
      for (const external_id of ['one', 'two']) {
        const to = (await chat.idOf('channel', external_id)) as number;
        await chat.system().messages.send({ type: 'channel', to, topic: '', content: `@**Ben** in ${external_id}` });
        await chat.runDue();
      }
      await tell('direct');
      assert.deepEqual(
        [whole, limited].map(({ browser }) => shown(browser).map((one) => (one as string[])[0])),
        [['one', 'two', 'Ada'], ['one']],
      );
      // Reading closes the notifications. The browser of the room gets no numbers of other messages.
      const unread = await idsOfUnread(ben);
      await ben.messages.markAllRead();
      clock.advance({ seconds: 5 });
      await chat.runDue();
      assert.deepEqual(shown(whole.browser), [unread]);
      assert.deepEqual(shown(limited.browser), [unread.slice(0, 1)]);
      clock.advance({ hours: 2 });
      const to = (await chat.idOf('channel', 'one')) as number;
      await chat.system().messages.send({ type: 'channel', to, topic: '', content: '@**Ben** after an hour' });
      await chat.runDue();
      const [after, ...more] = service.received(limited.browser.endpoint).splice(0);
      assert.deepEqual([shown(whole.browser), more], [[], []]);
      // The number of all unread messages is not for a token for rooms.
      assert.deepEqual([after?.type, after?.badge], ['message', undefined]);
      // The page may have got a newer token than the one that added its browser.
      const { token_id } = await ben.tokens.create();
      await ben.tokens.revoke({ token_id });
      await tell('after');
      assert.deepEqual([shown(whole.browser), shown(limited.browser)], [[], []]);
    });

    test('an ended subscription is removed, and a failing push service is called again', async (t) => {
      const place = await open(t, engine);
      const { ben, chat, clock, service, browserOf, shown, tell, stored } = place;
      const [gone, here] = [await browserOf(ben), await browserOf(ben)];
      service.end(gone);
      await tell('one');
      assert.deepEqual([shown(here).length, await stored()], [1, 1]);
      service.status = 503;
      await tell('two');
      assert.deepEqual(shown(here), []);
      service.status = 201;
      clock.advance({ minutes: 1 });
      await chat.runDue();
      assert.deepEqual(shown(here), [['Ada', 'two']]);
      service.status = 400;
      await tell('three');
      assert.deepEqual(
        (await chat.givenUp()).map(({ kind, last_error }) => [kind, last_error]),
        [['web-push', 'The push service answered 400.']],
      );
    });

    test('new keys remove all browsers, which subscribe again', async (t) => {
      const { ada, ben, service, browserOf, tell, stored, shown } = await open(t, engine);
      await browserOf(ben);
      const { public_key: before } = await ben.push.getWebKey();
      const { public_key } = await ada.push.regenerateWebKey();
      assert.notEqual(public_key, before);
      assert.deepEqual(await ben.push.getWebKey(), { public_key });
      assert.equal(await stored(), 0);
      const again = await browserOf(ben);
      await tell('again');
      assert.deepEqual([shown(again).length, service.requests.at(-1)?.claims.key], [1, public_key]);
    });
  });
}

testOn({})('without phones, browsers are notified and phones are not', async (t) => {
  const [engine] = featureEngines;
  const place = await open(t, engine as Engine, { notifications: { phones: false } });
  const phone = await place.phoneOf(place.ids.ben);
  const browser = await place.browserOf(place.ben);
  await place.tell();
  assert.deepEqual([place.relay.readBy(phone), place.shown(browser)], [[], [['Ada', 'Hello']]]);
});

testOn({})('without browsers, the chat refuses to add one and sends nothing', async (t) => {
  const [engine] = featureEngines;
  const { ben, ada, browserOf, service, storage, tell } = await open(t, engine as Engine, {
    notifications: { browsers: false },
  });
  for (const call of [() => browserOf(ben), () => ben.push.getWebKey(), () => ada.push.regenerateWebKey()])
    await assert.rejects(call, { code: 'PUSH_SERVICE_NOT_CONFIGURED' });
  const browser = {
    ...service.subscribe(),
    user_id: 1,
    credentials: '',
    login_id: null,
    rooms: null,
    ends_ms: 2 ** 50,
  };
  await storage.write((tx) => tx.pushBrowsers.add(browser, 9));
  await tell();
  assert.deepEqual(service.requests, []);
});
