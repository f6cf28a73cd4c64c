import assert from 'node:assert/strict';
import type { PlacedMessage } from '../../lib/storage/interface/messages.ts';
import type { NewPushDevice } from '../../lib/storage/interface/push.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, openFounded, send, subscribe } from './fixtures.ts';

const phone = (user_id: number, fields: Partial<NewPushDevice> = {}): NewPushDevice => ({
  user_id,
  push_account_id: 2 ** 50,
  token_kind: 'fcm',
  push_public_key: 'a+/=',
  ...fields,
});

async function registered(tx: Transaction, device: NewPushDevice) {
  const registration = await tx.pushDevices.register(device);
  assert.ok(registration, 'the device is already registered');
  return registration;
}

/** Push devices, their registrations and push notices. */
const browser = (user_id: number, endpoint: string) => ({
  ...{ user_id, endpoint, public_key: 'p', auth_secret: 's', credentials: 'c' },
  ...{ login_id: null, rooms: null as number[] | null, ends_ms: 9 },
});

export function pushContract(engine: Engine): void {
  const test = testOn(engine);

  test('a push device waits for the relay, becomes active, and is found by owner, account and ID', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const registration = await registered(tx, phone(Ada.id));
      const waiting = { ...phone(Ada.id), ...registration, relay_device_id: null, error_code: null };
      assert.deepEqual(await tx.pushDevices.of(Ada.id), [waiting]);
      assert.deepEqual(await tx.pushDevices.byId(registration.id), waiting);
      assert.deepEqual(await tx.pushDevices.byAccount(Ada.id, 2 ** 50), waiting);
      assert.equal(await tx.pushDevices.byAccount(Bob.id, 2 ** 50), undefined);
      assert.deepEqual(await tx.pushDevices.active([Ada.id, Bob.id]), []);
      assert.equal(await tx.pushDevices.activate(registration, 41), true);
      assert.equal(await tx.pushDevices.activate(registration, 42), false, 'the relay already knows the device');
      const active = { ...waiting, relay_device_id: 41 };
      assert.deepEqual(await tx.pushDevices.active([Bob.id, Ada.id]), [active]);
      assert.deepEqual([await tx.pushDevices.count(Ada.id), await tx.pushDevices.count(Bob.id)], [1, 0]);
    });
  });

  test('registering a push device that has not failed again changes nothing', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const registration = await registered(tx, phone(Ada.id));
      const other = phone(Ada.id, { push_public_key: 'other', token_kind: 'apns' });
      assert.equal(await tx.pushDevices.register(other), undefined);
      await tx.pushDevices.activate(registration, 41);
      assert.equal(await tx.pushDevices.register(other), undefined);
      assert.equal((await tx.pushDevices.byId(registration.id))?.push_public_key, 'a+/=');
      await registered(tx, phone(Bob.id));
      await registered(tx, phone(Ada.id, { push_account_id: 8 }));
    });
  });

  test('the result of an earlier registration does not change the current one', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const first = await registered(tx, phone(Ada.id));
      assert.equal(await tx.pushDevices.fail(first, 'REQUEST_EXPIRED'), true);
      assert.equal(await tx.pushDevices.fail(first, 'OTHER'), false, 'the registration has already failed');
      assert.equal(await tx.pushDevices.activate(first, 41), false);
      assert.equal((await tx.pushDevices.byId(first.id))?.error_code, 'REQUEST_EXPIRED');
      const second = await registered(tx, phone(Ada.id, { push_public_key: 'other', token_kind: 'apns' }));
      assert.equal(second.id, first.id);
      assert.deepEqual(await tx.pushDevices.of(Ada.id), [
        {
          ...phone(Ada.id, { push_public_key: 'other', token_kind: 'apns' }),
          ...second,
          relay_device_id: null,
          error_code: null,
        },
      ]);
      assert.equal(await tx.pushDevices.activate(first, 41), false);
      assert.equal(await tx.pushDevices.fail(first, 'REQUEST_EXPIRED'), false);
      assert.equal(await tx.pushDevices.activate(second, 42), true);
    });
  });

  test('a failed push device that registers again waits for the relay again', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const first = await registered(tx, phone(Ada.id));
      await tx.pushDevices.activate(first, 41);
      await tx.pushDevices.fail(first, 'API_KEY_REPLACED');
      const second = await registered(tx, phone(Ada.id));
      const device = await tx.pushDevices.byId(second.id);
      assert.deepEqual([device?.relay_device_id, device?.error_code], [null, null]);
      assert.deepEqual(await tx.pushDevices.active([Ada.id]), []);
      assert.equal(await tx.pushDevices.activate(second, 42), true);
    });
  });

  test('a push device that the relay lost is deleted, and a failed one is not active', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const [one, two, three] = [
        await registered(tx, phone(Ada.id, { push_account_id: 1 })),
        await registered(tx, phone(Ada.id, { push_account_id: -2 })),
        await registered(tx, phone(Ada.id, { push_account_id: 3 })),
      ];
      for (const [registration, id] of [
        [one, 11],
        [two, 12],
        [three, 13],
      ] as const)
        await tx.pushDevices.activate(registration, id);
      assert.equal(await tx.pushDevices.removeRelayed([11, 99]), 1);
      assert.equal(await tx.pushDevices.removeRelayed([]), 0);
      await tx.pushDevices.fail(two, 'INVALID_PUSH_KEY');
      assert.deepEqual(
        (await tx.pushDevices.active([Ada.id])).map(({ id }) => id),
        [three.id],
      );
      assert.deepEqual(
        (await tx.pushDevices.of(Ada.id)).map(({ id }) => id),
        [two.id, three.id],
      );
    });
  });

  test('of concurrent transactions that register the same push device, only one registers it', async (t) => {
    const { storage, reopen } = await openFounded(t, engine);
    const other = await reopen();
    const { Ada } = await storage.write((tx) => createUsers(tx, 'Ada'));
    const both = await Promise.all(
      [storage, other].map((one) => one.write((tx) => tx.pushDevices.register(phone(Ada.id)), 'mark')),
    );
    assert.equal(both.filter((registration) => registration !== undefined).length, 1);
    assert.equal((await storage.read((tx) => tx.pushDevices.of(Ada.id))).length, 1);
  });

  test('a push token is stored once for each account and kind', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const apns = { user_id: Ada.id, kind: 'apns' as const, token: 'x', ios_app_id: 'app' };
      const fcm = { user_id: Ada.id, kind: 'fcm' as const, token: 'x', ios_app_id: null };
      for (const token of [fcm, apns, fcm, { ...apns, user_id: Bob.id }]) await tx.pushTokens.add(token);
      assert.deepEqual(await tx.pushTokens.of(Ada.id), [apns, fcm]);
      await tx.pushTokens.add({ ...apns, ios_app_id: 'other' });
      assert.deepEqual(await tx.pushTokens.of(Ada.id), [{ ...apns, ios_app_id: 'other' }, fcm]);
      const bobs = { ...apns, user_id: Bob.id };
      assert.deepEqual(await tx.pushTokens.ofAll([Bob.id, Ada.id]), [{ ...apns, ios_app_id: 'other' }, fcm, bobs]);
      assert.deepEqual(await tx.pushTokens.ofAll([]), []);
      assert.equal(await tx.pushTokens.remove(Ada.id, 'fcm', ['y', 'x']), 1);
      assert.equal(await tx.pushTokens.remove(Ada.id, 'fcm', ['x']), 0);
      assert.equal(await tx.pushTokens.remove(Ada.id, 'apns', []), 0);
      assert.deepEqual([(await tx.pushTokens.of(Ada.id)).length, (await tx.pushTokens.of(Bob.id)).length], [1, 1]);
      assert.deepEqual([await tx.pushTokens.removeOf(Bob.id), await tx.pushTokens.removeOf(Bob.id)], [[bobs], []]);
    });
  });

  test('users with a device or token who have not read a message are candidates for a notification', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd, Dee, Eve } = await createUsers(tx, 'Ada', 'Bob', 'Cyd', 'Dee', 'Eve');
      for (const { id } of [Ada, Bob, Cyd, Eve]) await tx.pushDevices.activate(await registered(tx, phone(id)), id);
      const channel = await createChannel(tx, 'one');
      await subscribe(tx, channel, Ada, Bob, Cyd, Dee);
      const topic = await tx.conversations.ensureTopic(channel, 'Tea');
      await tx.subscriptions.update(Bob.id, 'is_muted', new Map([[channel, true]]));
      await tx.subscriptions.update(Bob.id, 'push_notifications', new Map([[channel, false]]));
      await tx.userTopics.set([Bob.id], { channel_id: channel, topic: 'tea', visibility_policy: 2, last_updated: 1 });
      await tx.presences.record([{ user_id: Cyd.id, active_ms: null, connected_ms: 77 }]);
      const id = await send(tx, Ada, topic);
      const candidates = async (of: number, after: number, limit: number) => {
        const message = (await tx.messages.byId(of)) as PlacedMessage;
        const concerned = await tx.emailNotices.concerned(message, after, limit, { email: false, push: true });
        return tx.emailNotices.candidates(of, concerned, { onlyDevices: true });
      };
      await tx.flags.setForReaders(id, [Cyd.id], 'mentioned');
      await tx.flags.setForReaders(id, 'all', 'wildcard_mentioned');
      const bob = {
        user_id: Bob.id,
        is_mentioned: false,
        is_mentioned_with_all: true,
        visibility_policy: 2,
        is_channel_muted: true,
        push_notifications: false,
        email_notifications: null,
        wildcard_mentions_notify: null,
        connected_ms: null,
        was_mentioned: false,
        has_phone: true,
        has_browser: false,
      };
      const cyd = {
        user_id: Cyd.id,
        is_mentioned: true,
        is_mentioned_with_all: true,
        visibility_policy: 0,
        is_channel_muted: false,
        push_notifications: null,
        email_notifications: null,
        wildcard_mentions_notify: null,
        connected_ms: 77,
        was_mentioned: false,
        has_phone: true,
        has_browser: false,
      };
      assert.deepEqual(await candidates(id, 0, 10), [bob, cyd]);
      assert.deepEqual(await candidates(id, Ada.id, 1), [bob]);
      assert.deepEqual(await candidates(id, Bob.id, 10), [cyd]);
      await tx.readState.markRead(Bob.id, [id]);
      await tx.mutedUsers.add(Cyd.id, { id: Ada.id, timestamp: 1 });
      assert.deepEqual(await candidates(id, 0, 10), []);
      const direct = await tx.conversations.ensureDirect([Ada.id, Eve.id, Dee.id]);
      const whispered = await send(tx, Ada, direct);
      assert.deepEqual(
        (await candidates(whispered, 0, 10)).map(({ user_id }) => user_id),
        [Eve.id],
      );
      await tx.pushTokens.add({ user_id: Dee.id, kind: 'fcm', token: 'x', ios_app_id: null });
      assert.deepEqual(
        (await candidates(whispered, 0, 10)).map(({ user_id }) => user_id),
        [Dee.id, Eve.id],
        'one user has a device, the other a token',
      );
      await tx.pushTokens.add({ user_id: Eve.id, kind: 'fcm', token: 'x', ios_app_id: null });
      assert.deepEqual(await tx.pushDevices.someOwners({ users: [Bob.id, Dee.id, Eve.id] }, 3), [
        Bob.id,
        Dee.id,
        Eve.id,
      ]);
      assert.deepEqual(await tx.pushDevices.someOwners({ channel }, 9), [Ada.id, Bob.id, Cyd.id, Dee.id]);
      await tx.pushTokens.removeOf(Dee.id);
      await tx.pushBrowsers.add(browser(Dee.id, 'd'), 9);
      assert.deepEqual(
        (await candidates(whispered, 0, 10)).map((one) => [one.user_id, one.has_phone, one.has_browser]),
        [
          [Dee.id, false, true],
          [Eve.id, true, false],
        ],
      );
      assert.deepEqual(await tx.pushDevices.someOwners({ channel }, 9), [Ada.id, Bob.id, Cyd.id, Dee.id]);
      await tx.pushBrowsers.remove(Dee.id, 'd');
      await tx.users.update(Eve.id, { is_active: false });
      assert.deepEqual(await candidates(whispered, 0, 10), []);
      assert.deepEqual(await tx.pushDevices.someOwners({ channel }, 2), [Ada.id, Bob.id]);
      assert.deepEqual(await tx.pushDevices.someOwners({ users: [Dee.id, Cyd.id] }, 2), [Cyd.id]);
    });
  });

  test('a browser belongs to the account that added it last, and an account keeps its last added ones', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const own = async (...users: number[]) =>
        (await tx.pushBrowsers.ofAll(users)).map(({ user_id, endpoint }) => [user_id, endpoint]);
      await tx.pushBrowsers.add({ ...browser(Ada.id, 'one'), rooms: [7, 8] }, 2);
      const [added] = await tx.pushBrowsers.ofAll([Ada.id]);
      assert.deepEqual(added, { id: added?.id, ...browser(Ada.id, 'one'), rooms: [7, 8] });
      await tx.pushBrowsers.add({ ...browser(Bob.id, 'one'), ends_ms: 7 }, 2);
      assert.deepEqual(await own(Ada.id, Bob.id), [[Bob.id, 'one']]);
      await tx.pushBrowsers.add({ ...browser(Bob.id, 'two'), ends_ms: 9 }, 2);
      await tx.pushBrowsers.add({ ...browser(Bob.id, 'three'), ends_ms: 8 }, 2);
      assert.deepEqual(await own(Bob.id), [
        [Bob.id, 'two'],
        [Bob.id, 'three'],
      ]);
      await tx.pushBrowsers.add({ ...browser(Ada.id, 'four'), login_id: 'a' }, 2);
      await tx.pushBrowsers.add({ ...browser(Ada.id, 'five'), login_id: 'b' }, 2);
      assert.equal(await tx.pushBrowsers.removeOfLogins(Ada.id, ['a', 'x']), 1);
      assert.equal(await tx.pushBrowsers.remove(Bob.id, 'five'), false, 'of another account');
      assert.deepEqual(await own(Ada.id), [[Ada.id, 'five']]);
      assert.equal(await tx.pushBrowsers.removeAll(), 3);
    });
  });

  test('a push notice is added once, and withdrawn when the message is read or deleted', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const direct = await tx.conversations.ensureDirect([Ada.id, Bob.id, Cyd.id]);
      const [one, two] = [await send(tx, Ada, direct), await send(tx, Ada, direct)];
      assert.equal(await tx.pushNotices.nextDue(), undefined);
      assert.deepEqual(await tx.pushNotices.add(one, [Cyd.id, Bob.id], 100), [Bob.id, Cyd.id]);
      assert.deepEqual(await tx.pushNotices.add(one, [Cyd.id, Bob.id], 200), []);
      await tx.pushNotices.add(two, [Bob.id], 90);
      assert.deepEqual(await tx.pushNotices.standing(one, [Cyd.id, Bob.id, Ada.id]), [Bob.id, Cyd.id]);
      await tx.readState.markRead(Bob.id, [one]);
      assert.deepEqual(await tx.pushNotices.standing(one, [Cyd.id, Bob.id]), [Cyd.id]);
      assert.equal(await tx.pushNotices.nextDue(), 90);
      assert.equal(await tx.pushNotices.withdraw(Bob.id, [one, 99], 5), true);
      assert.equal(await tx.pushNotices.withdraw(Bob.id, [one, 99], 3), false, 'the notice is already withdrawn');
      assert.equal(await tx.pushNotices.withdraw(Ada.id, [one], 3), false);
      assert.equal(await tx.pushNotices.nextDue(), 5);
      assert.equal(await tx.pushNotices.withdrawMessages([one], 6), true);
      assert.deepEqual(await tx.pushNotices.standing(one, [Cyd.id]), []);
      assert.deepEqual(await tx.pushNotices.takeDue(4, 10), []);
      assert.deepEqual(await tx.pushNotices.takeDue(90, 1), [{ user_id: Bob.id, message_id: one, is_withdrawn: true }]);
      const rest = await tx.pushNotices.takeDue(90, 10);
      assert.deepEqual(
        rest.sort((a, b) => a.user_id - b.user_id),
        [
          { user_id: Bob.id, message_id: two, is_withdrawn: false },
          { user_id: Cyd.id, message_id: one, is_withdrawn: true },
        ],
      );
      assert.equal(await tx.pushNotices.nextDue(), undefined);
    });
  });
}
