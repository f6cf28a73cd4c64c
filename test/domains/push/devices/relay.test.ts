import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ChatError, ChatEvent } from '../../../../lib/index.ts';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { Phone, sealFor } from '../phone.ts';
import { openPushPlace, type PushPlace, SITE } from '../places.ts';

const HOUR = { seconds: 3_600 };

const stateOf = async ({ ada }: PushPlace) =>
  (await ada.register({ event_types: ['push_device'], fetch_event_types: ['push_device'] })).push_devices;

/** Registers a phone and collects the events for Ada's clients. */
async function follow(place: PushPlace, registration: Parameters<typeof place.ada.push.register>[0]) {
  const { queue_id } = await place.ada.register({ event_types: ['push_device'], fetch_event_types: [] });
  await place.ada.push.register(registration);
  return async () => {
    const { events } = await place.ada.events.list({
      queue_id: queue_id as string,
      last_event_id: -1,
      dont_block: true,
    });
    return events.map((event) => {
      const { status, error_code } = event as ChatEvent & { status: string; error_code?: string };
      return error_code === undefined ? status : `${status} ${error_code}`;
    });
  };
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, status }: ChatError) => `${code} ${status}`,
  );

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`devices and a relay on ${engine.name}`, () => {
    for (const kind of ['fcm', 'apns'] as const) {
      test(`a phone (${kind}) is registered, becomes active and decrypts a test notification`, async (t) => {
        const place = await openPushPlace(t, engine);
        const { relay, chat, ada, ids, clock } = place;
        const phone = new Phone(kind);
        const told = await follow(place, phone.registration(relay.publicKey, {}, clock.now()));
        await chat.runDue();
        assert.deepEqual(await told(), ['pending', 'active']);
        assert.deepEqual(await stateOf(place), { [phone.push_account_id]: { status: 'active', error_code: null } });
        await ada.push.sendTest({ push_account_id: phone.push_account_id });
        assert.deepEqual(relay.readBy(phone), [
          {
            type: 'test',
            realm_url: SITE,
            realm_name: 'Example',
            user_id: ids.ada,
            time: Math.floor(clock.now() / 1000),
          },
        ]);
        const [{ payload, priority } = assert.fail()] = relay.deliveries;
        const { encrypted_data, ...open } = payload;
        assert.ok(
          !JSON.stringify([open, encrypted_data]).includes('Example'),
          'the relay cannot read the notification',
        );
        assert.deepEqual(
          [open, priority],
          kind === 'fcm'
            ? [{ push_account_id: phone.push_account_id }, 'high']
            : [
                {
                  push_account_id: phone.push_account_id,
                  aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
                },
                { apns_priority: 10, apns_push_type: 'alert' },
              ],
        );
        assert.deepEqual(place.failures, []);
      });
    }

    test('a registration refused by the relay fails with its code, and the phone can register again', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, chat, clock } = place;
      const other = new Phone();
      const now = clock.now();
      const cases: [string, (phone: Phone) => ReturnType<Phone['registration']>][] = [
        ['INVALID_BOUNCER_PUBLIC_KEY', (phone) => phone.registration(other.publicKey, {}, now)],
        [
          'INVALID_ENCRYPTED_PUSH_REGISTRATION',
          (phone) => ({
            ...phone.registration(relay.publicKey, {}, now),
            encrypted_push_registration: sealFor(other.publicKey, '{}'),
          }),
        ],
        ['INVALID_ENCRYPTED_PUSH_REGISTRATION', (phone) => phone.registration(relay.publicKey, { token: '' }, now)],
        [
          'REQUEST_EXPIRED',
          (phone) => phone.registration(relay.publicKey, { timestamp: Math.floor(now / 1000) - 86_401 }),
        ],
        [
          'INVALID_PUSH_KEY',
          (phone) => ({ ...phone.registration(relay.publicKey, {}, now), push_public_key: `${'A'.repeat(43)}=` }),
        ],
        [
          'INVALID_PUSH_KEY',
          (phone) => ({ ...phone.registration(relay.publicKey, {}, now), push_public_key: 'c2hvcnQ=' }),
        ],
      ];
      for (const [code, registration] of cases) {
        const phone = new Phone();
        const told = await follow(place, registration(phone));
        await chat.runDue();
        assert.deepEqual(await told(), ['pending', `failed ${code}`]);
        assert.deepEqual((await stateOf(place))[phone.push_account_id], { status: 'failed', error_code: code });
        const toldAgain = await follow(place, phone.registration(relay.publicKey, {}, now));
        await chat.runDue();
        assert.deepEqual(await toldAgain(), ['pending', 'active']);
      }
      assert.equal(relay.registrations, cases.length);
    });

    test('a registration is retried while the relay is unreachable or has a fault', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, chat, clock } = place;
      const told = await follow(place, new Phone().registration(relay.publicKey, {}, clock.now()));
      await relay.close();
      await chat.runDue();
      clock.advance({ seconds: 10 });
      await chat.runDue();
      relay.fault = true;
      await relay.reopen();
      clock.advance({ seconds: 60 });
      await chat.runDue();
      assert.deepEqual(await told(), ['pending']);
      relay.fault = false;
      clock.advance({ seconds: 180 });
      await chat.runDue();
      assert.deepEqual(await told(), ['pending', 'active']);
      assert.deepEqual(place.failures, []);
    });

    test('a registration fails and is logged after the relay was unreachable for a day', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, chat, clock, failures } = place;
      const phone = new Phone();
      const told = await follow(place, phone.registration(relay.publicKey, {}, clock.now()));
      await relay.close();
      let hours = 0;
      while ((await told()).length === 1 && hours < 30) {
        await chat.runDue();
        clock.advance(HOUR);
        hours++;
      }
      assert.deepEqual(await told(), ['pending', 'failed REQUEST_EXPIRED']);
      assert.equal(hours, 25, 'retries end after a day');
      assert.deepEqual(failures, ['a push device could not be registered within a day']);
      assert.deepEqual(await chat.givenUp(), []);
      await relay.reopen();
    });

    test('wrong relay credentials are logged at each attempt, and the registration is retried', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, clock, failures } = place;
      const told = await follow(place, new Phone().registration(relay.publicKey, {}, clock.now()));
      const stranger = await place.another({ pushRelay: relay.port({ key: 'wrong' }) });
      await stranger.runDue();
      clock.advance({ seconds: 5 });
      await stranger.runDue();
      assert.deepEqual(failures, Array(2).fill('the push relay does not accept registrations'));
      assert.deepEqual(await told(), ['pending']);
      clock.advance({ seconds: 60 });
      await place.chat.runDue();
      assert.deepEqual(await told(), ['pending', 'active']);
    });

    test('a registration whose response was lost is sent again and registers the device once', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, chat, clock } = place;
      const told = await follow(place, new Phone().registration(relay.publicKey, {}, clock.now()));
      const port = relay.port();
      let isLost = true;
      const lossy = await place.another({
        pushRelay: {
          ...port,
          async register(registration) {
            const answer = await port.register(registration);
            if (!isLost) return answer;
            isLost = false;
            throw Object.assign(new Error('the line is cut'), { problem: 'unreachable' });
          },
        },
      });
      await lossy.runDue();
      assert.deepEqual([relay.deviceCount, await told()], [1, ['pending']]);
      clock.advance({ seconds: 60 });
      await chat.runDue();
      assert.deepEqual([relay.deviceCount, relay.registrations, await told()], [1, 2, ['pending', 'active']]);
    });

    test('two processes register each phone with the relay once', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, chat, ada, clock } = place;
      const other = await place.another();
      for (let n = 0; n < 5; n++) await ada.push.register(new Phone().registration(relay.publicKey, {}, clock.now()));
      await Promise.all([chat.runDue(), other.runDue()]);
      assert.deepEqual([relay.deviceCount, relay.registrations], [5, 5]);
      const states = Object.values(await stateOf(place)) as { status: string }[];
      assert.deepEqual(
        states.map(({ status }) => status),
        Array(5).fill('active'),
      );
    });

    test('a failed test notification has the error code of its cause, and turns no notifications off', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, ada, ids } = place;
      await place.phoneOf(ids.ada);
      relay.fault = true;
      assert.equal(await refusal(ada.push.sendTest()), 'INTERNAL_SERVER_ERROR_ON_BOUNCER 502');
      await relay.close();
      assert.equal(await refusal(ada.push.sendTest()), 'FAILED_TO_CONNECT_BOUNCER 502');
      const { realm_push_notifications_enabled } = await ada.register({ fetch_event_types: ['realm'] });
      assert.equal(realm_push_notifications_enabled, true);
      relay.fault = false;
      await relay.reopen();
      assert.equal(await refusal(ada.push.sendTest()), 'done');
      const stranger = await place.another({ pushRelay: relay.port({ key: 'wrong' }) });
      assert.equal(await refusal(stranger.as(ids.ada).push.sendTest()), 'ADMIN_ACTION_REQUIRED 403');
      const elsewhere = await place.another({ pushRelay: relay.port({ url: `${relay.url}/elsewhere` }) });
      assert.equal(await refusal(elsewhere.as(ids.ada).push.sendTest()), 'ADMIN_ACTION_REQUIRED 403');
      assert.equal(relay.deliveries.length, 1);
    });

    test('without a relay, the error says what to do, and a failure is logged without a stack', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, ids } = place;
      await place.phoneOf(ids.ada);
      const warnings: object[] = [];
      const logger = { debug() {}, info() {}, warn: (data: object) => void warnings.push(data), error() {} };
      const without = await place.another({ pushRelay: undefined, logger });
      const error = (await without
        .as(ids.ada)
        .push.sendTest()
        .catch((refused) => refused)) as ChatError;
      assert.deepEqual([error.code, error.status], ['ADMIN_ACTION_REQUIRED', 403]);
      assert.match(error.message, /has no push relay\. .*`chatctl serve --push-relay`/);
      assert.deepEqual(warnings, []);
      const stranger = await place.another({ pushRelay: relay.port({ key: 'wrong' }), logger });
      assert.equal(await refusal(stranger.as(ids.ada).push.sendTest()), 'ADMIN_ACTION_REQUIRED 403');
      assert.deepEqual(
        warnings.map((data) => Object.values(data).filter((value) => value instanceof Error)),
        [[]],
      );
    });

    test("push_notifications_enabled changes with the relay's responses, and all users get the event", async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, ada, ben, ids } = place;
      await place.phoneOf(ids.ada);
      const { queue_id, ...state } = await ben.register({ event_types: ['realm'], fetch_event_types: ['realm'] });
      assert.deepEqual(
        [state.realm_push_notifications_enabled, state.realm_push_notifications_enabled_end_timestamp],
        [true, null],
      );
      relay.isRegistered = false;
      assert.equal(await refusal(ada.push.sendTest()), 'ADMIN_ACTION_REQUIRED 403');
      assert.equal(await refusal(ada.push.sendTest()), 'ADMIN_ACTION_REQUIRED 403');
      relay.isRegistered = true;
      await ada.push.sendTest();
      const { events } = await ben.events.list({ queue_id: queue_id as string, last_event_id: -1, dont_block: true });
      assert.deepEqual(
        events.map(({ id: _, ...event }) => event),
        [false, true].map((value) => ({ type: 'realm', op: 'update', property: 'push_notifications_enabled', value })),
      );
      const without = await place.another({ pushRelay: undefined });
      const { realm_push_notifications_enabled } = await without.as(ids.ben).register({ fetch_event_types: ['realm'] });
      assert.equal(realm_push_notifications_enabled, false);
      assert.equal((await without.anonymous().serverSettings.get()).push_notifications_enabled, false);
      assert.equal((await ada.serverSettings.get()).push_notifications_enabled, true);
    });

    test('a phone that the relay no longer knows is removed', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, ada, ids } = place;
      const [lost, kept] = [await place.phoneOf(ids.ada), await place.phoneOf(ids.ada)];
      relay.gone.add(lost.token);
      await ada.push.sendTest();
      assert.deepEqual(Object.keys(await stateOf(place)), [String(kept.push_account_id)]);
      relay.gone.add(kept.token);
      await ada.push.sendTest();
      assert.deepEqual(await stateOf(place), {});
      assert.equal(await refusal(ada.push.sendTest()), 'NO_ACTIVE_PUSH_DEVICE 400');
    });

    test("a new API key fails the user's phones, which get no notifications until they register again", async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, ada, ben, ids, chat, clock, storage } = place;
      const phone = await place.phoneOf(ids.ada);
      const waiting = new Phone();
      await ada.push.register(waiting.registration(relay.publicKey, {}, clock.now()));
      await ada.push.addFcmToken({ token: 'x' });
      const { queue_id } = await ada.register({ event_types: ['push_device'], fetch_event_types: [] });
      await ada.users.regenerateApiKey();
      const { events } = await ada.events.list({ queue_id: queue_id as string, last_event_id: -1, dont_block: true });
      assert.deepEqual(
        events.map(({ id: _, ...event }) => event),
        [phone, waiting].map(({ push_account_id }) => ({
          type: 'push_device',
          push_account_id: String(push_account_id),
          status: 'failed',
          error_code: 'API_KEY_REPLACED',
        })),
      );
      await ben.messages.send({ type: 'direct', to: [ids.ada], content: 'secret' });
      await chat.runDue();
      assert.deepEqual([relay.deliveries, relay.deviceCount], [[], 1]);
      assert.deepEqual(await storage.read((tx) => tx.pushTokens.of(ids.ada)), []);
      const told = await follow(place, phone.registration(relay.publicKey, {}, clock.now()));
      await chat.runDue();
      assert.deepEqual(await told(), ['pending', 'active']);
      assert.equal(relay.deviceCount, 1, 'the relay still has the device');
    });

    test('a dry run of push.sendTest sends no notification', async (t) => {
      const place = await openPushPlace(t, engine);
      await place.phoneOf(place.ids.ada);
      await place.ada.dryRun.push.sendTest();
      assert.deepEqual(place.relay.deliveries, []);
    });

    test('A2: tokens of old clients are stored while the relay is unreachable, and it gets the changes later', async (t) => {
      const place = await openPushPlace(t, engine);
      const { relay, ada, ben, ids, storage, chat, clock } = place;
      await ada.push.addFcmToken({ token: 'x' });
      await ben.push.addFcmToken({ token: 'x' });
      await ada.push.addApnsToken({ token: 'c0ffee', appid: 'org.example.chat' });
      assert.equal(relay.tokens.length, 3, 'each account has its own token');
      await relay.close();
      await ada.push.addFcmToken({ token: 'y' });
      await ada.push.removeFcmToken({ token: 'x' });
      await ada.push.addFcmToken({ token: 'z' });
      await ada.push.removeFcmToken({ token: 'z' });
      const stored = async () => (await storage.read((tx) => tx.pushTokens.of(ids.ada))).map(({ token }) => token);
      assert.deepEqual(await stored(), ['c0ffee', 'y']);
      await chat.runDue();
      await relay.reopen([]);
      clock.advance({ hours: 1 });
      await chat.runDue();
      assert.deepEqual(
        relay.tokens.map(({ token }) => token),
        ['y'],
      );
      await ada.push.removeFcmToken({ token: 'y' });
      await storage.write((tx) => tx.pushTokens.add({ user_id: ids.ada, kind: 'fcm', token: 'x', ios_app_id: null }));
      // The relay has lost the tokens.
      await ada.push.removeFcmToken({ token: 'x' });
      await ada.push.addFcmToken({ token: 'x' });
      await ada.push.removeFcmToken({ token: 'x' });
      assert.deepEqual(relay.tokens, []);
    });
  });
}
