import assert from 'node:assert/strict';
import type { User } from '../../lib/model/users.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import {
  createChannel,
  createUsers,
  newUser,
  openFor,
  openFounded,
  organization,
  subscribe,
  unsubscribe,
} from './fixtures.ts';

/** The message of both engines. */
const IS_TAKEN = /unique constraint/i;

export function peopleContract(engine: Engine): void {
  const test = testOn(engine);
  test('a database has no organization until one is created', async (t) => {
    const { storage } = await openFor(t, engine);
    assert.equal(await storage.read((tx) => tx.organization.get()), undefined);
    await storage.write((tx) => tx.organization.create(organization()));
    const { version, users_version, ...rest } = (await storage.read((tx) => tx.organization.get())) ?? assert.fail();
    assert.deepEqual(rest, { ...organization(), web_push_generation: 0, linkifiers: [], profile_fields: [] });
    assert.ok(version > 0 && users_version > 0);
  });

  test('there is only one organization in a database', async (t) => {
    const { storage } = await openFounded(t, engine);
    await assert.rejects(
      storage.write((tx) => tx.organization.create(organization())),
      IS_TAKEN,
    );
  });

  test('updating the organization raises its version and changes the given fields only', async (t) => {
    const { storage } = await openFounded(t, engine);
    const before = await storage.read((tx) => tx.organization.get());
    await storage.write((tx) => tx.organization.update({ description: '', settings: { waiting_period: [1, 'é'] } }));
    const after = await storage.read((tx) => tx.organization.get());
    assert.deepEqual(after, {
      ...before,
      version: (before?.version ?? 0) + 1,
      description: '',
      settings: { waiting_period: [1, 'é'] },
    });
  });

  test('accounts created together are the same as accounts created one by one, in the same order', async (t) => {
    const { storage } = await openFounded(t, engine);
    const names = Array.from({ length: 450 }, (_, at) => `Person ${at} ‘é’ "x"`);
    const people = names.map((name, at) =>
      newUser(name, {
        delivery_email: `Person-${at}@example.org`,
        ...(at % 2 === 0
          ? { settings: { list: [1, 'é', null] }, password_hash: 'scrypt$a$b', can_change_user_emails: true }
          : { role: 600, bot_type: 1, is_active: false, joined_ms: 9_007_199_254_740_991 }),
      }),
    );
    const made = await storage.write((tx) => tx.users.createMany(people));
    const found = await storage.read((tx) => tx.users.changedSince(0));
    assert.deepEqual(found, made);
    assert.deepEqual(
      made.map(({ id: _, version: __, ...user }) => user),
      people.map((person) => ({ ...person, profile_data: '{}' })),
    );
    assert.deepEqual(await storage.write((tx) => tx.users.createMany([])), []);
    const taken = [newUser('New'), newUser('Old', { delivery_email: 'PERSON-1@example.org' })];
    await assert.rejects(
      storage.write((tx) => tx.users.createMany(taken)),
      IS_TAKEN,
    );
    assert.equal((await storage.read((tx) => tx.users.changedSince(0))).length, 450);
  });

  test('a guest can see bots, active subscribers of shared channels and participants of own conversations', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Gus, Eve, Ada, Bob, Cyd, Dan, Fay } = await createUsers(
        tx,
        'Gus',
        'Eve',
        'Ada',
        'Bob',
        'Cyd',
        'Dan',
        'Fay',
      );
      const bot = await tx.users.create(newUser('Bot', { bot_type: 1 }));
      const shared = await createChannel(tx, 'shared');
      const left = await createChannel(tx, 'left');
      await subscribe(tx, shared, Gus, Ada, Bob);
      await subscribe(tx, left, Gus, Cyd);
      await unsubscribe(tx, left, Gus);
      await tx.users.update(Bob.id, { is_active: false });
      await tx.users.update(Dan.id, { is_active: false });
      // The state after every message was deleted.
      await tx.conversations.ensureDirect([Gus.id, Dan.id, Eve.id]);
      const sorted = async (ids: Promise<number[]>) => (await ids).sort((a, b) => a - b);
      assert.deepEqual(await sorted(tx.guestVisibility.visibleTo(Gus.id)), [Gus.id, Eve.id, Ada.id, Dan.id, bot.id]);
      assert.deepEqual(await sorted(tx.guestVisibility.visibleTo(Fay.id)), [bot.id]);
      const userIds = [Gus, Eve, Ada, Bob, Cyd, Dan, Fay].map(({ id }) => id);
      const between = async (guests: number[], users: number[]) =>
        (await tx.guestVisibility.between(guests, users))
          .map(({ guest_id, user_id }) => `${guest_id} ${user_id}`)
          .sort();
      const pairs = (...list: [{ id: number }, { id: number }][]) => list.map(([a, b]) => `${a.id} ${b.id}`).sort();
      assert.deepEqual(
        await between([Gus.id, Eve.id], userIds),
        pairs([Gus, Eve], [Gus, Ada], [Gus, Dan], [Eve, Gus], [Eve, Dan]),
      );
      assert.deepEqual(await between([Gus.id, Fay.id], [Ada.id, Cyd.id]), pairs([Gus, Ada]));
      assert.deepEqual(await between([], userIds), []);
      assert.deepEqual(await between(userIds, []), []);
    });
  });

  test('linkifiers keep their order, and each change raises the version of the organization', async (t) => {
    const { storage } = await openFounded(t, engine);
    const linkifier = (name: string) => ({ pattern: `${name}-(?P<id>[0-9]+)`, url_template: `https://${name}/{id}` });
    const known = async () => (await storage.read((tx) => tx.organization.get())) ?? assert.fail();
    let version = (await known()).version;
    const change = async (work: (tx: Transaction) => Promise<unknown>) => {
      await storage.write(work);
      const after = await known();
      assert.ok(after.version > version);
      version = after.version;
      assert.deepEqual(await storage.read((tx) => tx.linkifiers.all()), after.linkifiers);
      return after.linkifiers;
    };
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c'])
      await change(async (tx) => ids.push(await tx.linkifiers.create(linkifier(name))));
    const [a = 0, b = 0, c = 0] = ids;
    assert.deepEqual((await known()).linkifiers, [
      { id: a, ...linkifier('a') },
      { id: b, ...linkifier('b') },
      { id: c, ...linkifier('c') },
    ]);
    const ordered = await change((tx) => tx.linkifiers.reorder([c, a, b]));
    assert.deepEqual(
      ordered.map((one) => one.id),
      [c, a, b],
    );
    assert.deepEqual(await change((tx) => tx.linkifiers.update({ id: a, ...linkifier('d') })), [
      { id: c, ...linkifier('c') },
      { id: a, ...linkifier('d') },
      { id: b, ...linkifier('b') },
    ]);
    await change((tx) => tx.linkifiers.remove(c));
    const last = await change(async (tx) => ids.push(await tx.linkifiers.create(linkifier('e'))));
    assert.deepEqual(
      last.map((one) => one.id),
      [a, b, ids[3]],
    );
    await assert.rejects(
      storage.write((tx) => tx.linkifiers.create(linkifier('e'))),
      IS_TAKEN,
    );
  });

  test('playgrounds keep their order, and a name can be used once for a language', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const site = (name: string, pygments_language = 'Rust') => ({ name, pygments_language, url_template: '{code}' });
      const [a, b, c] = [
        await tx.playgrounds.create(site('a')),
        await tx.playgrounds.create(site('b')),
        await tx.playgrounds.create(site('a', 'C')),
      ];
      assert.equal(await tx.playgrounds.remove(b), true);
      assert.equal(await tx.playgrounds.remove(b), false);
      assert.deepEqual(await tx.playgrounds.all(), [
        { id: a, ...site('a') },
        { id: c, ...site('a', 'C') },
      ]);
    });
    const again = { name: 'a', pygments_language: 'C', url_template: '{code}' };
    await assert.rejects(
      storage.write((tx) => tx.playgrounds.create(again)),
      IS_TAKEN,
    );
  });

  test('a user is read back with all fields', async (t) => {
    const { storage } = await openFounded(t, engine);
    const owner = await storage.write((tx) => tx.users.create(newUser('Ada')));
    const bot = newUser('Bot', {
      delivery_email: 'Mixed.Case@Example.org',
      full_name: 'Ünïcode 🐙 "quoted"',
      role: 600,
      is_active: false,
      bot_type: 2,
      bot_owner_id: owner.id,
      is_system_bot: true,
      email_visibility: 4,
      password_hash: 'scrypt$x',
      key_generation: 7,
      settings: { a: { b: [null, 1.5, 'ß'] } },
    });
    const { id, version, ...kept } = await storage.write((tx) => tx.users.create(bot));
    assert.deepEqual(kept, { ...bot, profile_data: '{}' });
    assert.deepEqual(await storage.read((tx) => tx.users.byId(id)), { ...kept, id, version });
  });

  test('users are found by ID, and by e-mail address or name in any case', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob, Cyd } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob', 'Cyd'));
    await storage.read(async (tx) => {
      assert.equal(await tx.users.byId(9_999), undefined);
      assert.deepEqual(await tx.users.byIds([Cyd.id, 9_999, Ada.id]), [Ada, Cyd]);
      assert.deepEqual(await tx.users.byIds([]), []);
      assert.deepEqual(await tx.users.byEmail('BOB@Example.ORG'), Bob);
      assert.equal(await tx.users.byEmail('nobody@example.org'), undefined);
      assert.deepEqual(await tx.users.byEmails(['cyd@EXAMPLE.org', 'nobody@example.org', 'ada@example.org']), [
        Ada,
        Cyd,
      ]);
      assert.deepEqual(await tx.users.byEmails([]), []);
      const names = [Cyd, Ada].map((user) => user.full_name.toUpperCase());
      assert.deepEqual(await tx.users.byNames([...names, 'Nobody']), [Ada, Cyd]);
      assert.deepEqual(await tx.users.byNames([]), []);
    });
  });

  test('two users cannot have the same e-mail address', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write((tx) => tx.users.create(newUser('Ada')));
    await assert.rejects(
      storage.write((tx) => tx.users.create(newUser('Other', { delivery_email: 'ADA@example.org' }))),
    );
  });

  test('changing the organization raises its version, and creating users raises users_version', async (t) => {
    const { storage } = await openFounded(t, engine);
    const versions = () => storage.read((tx) => tx.organization.versions());
    const first = await versions();
    assert.ok(first);
    await storage.write((tx) => tx.organization.update({ name: 'Anders' }));
    assert.deepEqual(await versions(), { ...first, version: first.version + 1 });
    await storage.write((tx) => createUsers(tx, 'Ada'));
    const last = await versions();
    assert.equal(last?.version, first.version + 1);
    assert.ok((last?.users_version ?? 0) > first.users_version);
  });

  test('changing a user raises users_version, and changedSince returns the changed users', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    assert.ok(Bob.version > Ada.version);
    const version = async () => (await storage.read((tx) => tx.organization.get()))?.users_version;
    assert.equal(await version(), Bob.version);
    const changed = await storage.write((tx) => tx.users.update(Ada.id, { full_name: 'Ada L.', is_active: false }));
    assert.deepEqual(changed, { ...Ada, full_name: 'Ada L.', is_active: false, version: Bob.version + 1 });
    assert.equal(await version(), changed.version);
    await storage.read(async (tx) => {
      assert.deepEqual(await tx.users.changedSince(0), [changed, Bob]);
      assert.deepEqual(await tx.users.changedSince(Bob.version), [changed]);
      assert.deepEqual(await tx.users.changedSince(changed.version), []);
    });
  });

  test('a user whose address changed is found by the new address only', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada } = await storage.write((tx) => createUsers(tx, 'Ada'));
    await storage.write((tx) =>
      tx.users.update(Ada.id, { delivery_email: 'Lovelace@example.org', bot_owner_id: null }),
    );
    await storage.read(async (tx) => {
      assert.equal((await tx.users.byEmail('lovelace@example.org'))?.id, Ada.id);
      assert.equal(await tx.users.byEmail('ada@example.org'), undefined);
    });
  });

  test('accounts are counted and listed by role, status and bot owner', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const gone = await tx.users.create(newUser('Gone', { is_active: false }));
      const guest = await tx.users.create(newUser('Guest', { role: 600 }));
      const owner = await tx.users.create(newUser('Owner', { role: 100 }));
      const bot = await tx.users.create(newUser('Bot', { bot_type: 1, bot_owner_id: Ada.id }));
      const other = await tx.users.create(newUser('Other', { bot_type: 2, bot_owner_id: Ada.id, is_active: false }));
      const system = await tx.users.create(newUser('System', { bot_type: 1, is_system_bot: true }));
      assert.equal(await tx.users.countActive(400), 2);
      assert.equal(await tx.users.countActive(600), 1);
      assert.equal(await tx.users.countActive(200), 0);
      assert.deepEqual(await tx.users.botsOwnedBy(Ada.id), [bot, other]);
      assert.deepEqual(await tx.users.botsOwnedBy(Bob.id), []);
      assert.deepEqual(await tx.users.activeIds(), [Ada.id, Bob.id, guest.id, owner.id, bot.id]);
      assert.deepEqual(await tx.users.activeIds([100, 600]), [guest.id, owner.id]);
      assert.deepEqual(await tx.users.activeIds([]), []);
      assert.deepEqual(await tx.users.inactiveIds(), [gone.id, other.id]);
      assert.ok((await tx.users.changedSince(0)).some(({ id }) => id === system.id));
    });
  });

  test('H10: the owner of a bot gets one notice in a period, also with concurrent transactions', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { bot, other } = await storage.write((tx) => createUsers(tx, 'bot', 'other'));
    const claim = (id: number, now: number) =>
      storage.write((tx) => tx.users.claimNotice(id, now, now - 100), 'append');
    const first = await Promise.all([claim(bot.id, 1_000), claim(bot.id, 1_000), claim(other.id, 1_000)]);
    assert.deepEqual([first[0] !== first[1], first[2]], [true, true]);
    assert.equal(await claim(bot.id, 1_099), false);
    assert.equal(await claim(bot.id, 1_100), true);
    assert.equal(await claim(bot.id, 1_101), false);
  });

  test('a password reset is found by its token, and only the newest of an account are kept', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    const reset = (user: User, token_hash: string, created_ms: number, is_mailed = true) => ({
      token_hash,
      user_id: user.id,
      account_state: 'state',
      created_ms,
      is_mailed,
      new_email: null,
    });
    await storage.write(async (tx) => {
      for (const at of [1, 2, 3, 4]) await tx.passwordResets.add(reset(Ada, `ada ${at}`, at * 10), 3);
      await tx.passwordResets.add(reset(Bob, 'bob', 5), 3);
      await tx.passwordResets.add(reset(Bob, 'bob by hand', 6, false), 3);
    });
    await storage.read(async ({ passwordResets }) => {
      assert.deepEqual(await passwordResets.byToken('ada 2'), reset(Ada, 'ada 2', 20));
      assert.equal(await passwordResets.byToken('ada 1'), undefined);
      assert.deepEqual(await passwordResets.mailedSince(Ada.id, 20, { changes: false }), [30, 40]);
      assert.deepEqual(await passwordResets.mailedSince(Bob.id, 0, { changes: false }), [5]);
    });
    await storage.write(async ({ passwordResets }) => {
      await passwordResets.uncount('ada 4');
      await passwordResets.removeOf(Bob.id);
    });
    await storage.read(async ({ passwordResets }) => {
      assert.deepEqual(await passwordResets.mailedSince(Ada.id, 0, { changes: false }), [20, 30]);
      assert.deepEqual(await passwordResets.byToken('ada 4'), reset(Ada, 'ada 4', 40, false));
      assert.equal(await passwordResets.byToken('bob'), undefined);
    });
  });

  test('a link that confirms an address is counted apart, and stops working with the next one', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada } = await storage.write((tx) => createUsers(tx, 'Ada'));
    const link = { token_hash: 'a', user_id: Ada.id, account_state: 'state', created_ms: 10, is_mailed: true };
    const change = { ...link, new_email: 'countess@example.com' };
    await storage.write(async ({ passwordResets }) => {
      await passwordResets.add(change, 3);
      await passwordResets.add({ ...link, token_hash: 'b', created_ms: 20, new_email: null }, 3);
    });
    await storage.write(async ({ passwordResets }) => {
      assert.deepEqual(await passwordResets.byToken('a'), change);
      assert.deepEqual(await passwordResets.mailedSince(Ada.id, 0, { changes: true }), [10]);
      assert.deepEqual(await passwordResets.mailedSince(Ada.id, 0, { changes: false }), [20]);
      await passwordResets.endChanges(Ada.id);
      const [ended, kept] = [await passwordResets.byToken('a'), await passwordResets.byToken('b')];
      assert.deepEqual([ended?.account_state, kept?.account_state], ['', 'state']);
      assert.deepEqual(await passwordResets.mailedSince(Ada.id, 0, { changes: true }), [10]);
    });
  });

  test('the network of a sign-in is known for that user, and only the most recent networks are kept', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    await storage.write(async ({ signInNetworks }) => {
      await signInNetworks.remember(Ada.id, 'home', { now: 1, limit: 2 });
      await signInNetworks.remember(Ada.id, 'work', { now: 2, limit: 2 });
      await signInNetworks.remember(Ada.id, 'home', { now: 3, limit: 2 });
      await signInNetworks.remember(Ada.id, 'train', { now: 4, limit: 2 });
    });
    await storage.read(async ({ signInNetworks }) => {
      const known = async (user: User, network: string, since = 0) => signInNetworks.isKnown(user.id, network, since);
      assert.deepEqual(
        [await known(Ada, 'home'), await known(Ada, 'work'), await known(Ada, 'train')],
        [true, false, true],
      );
      assert.deepEqual([await known(Ada, 'home', 3), await known(Ada, 'home', 4)], [true, false]);
      assert.equal(await known(Bob, 'home'), false);
    });
  });

  test('a login at a provider opens one account, and an account may have one at each', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, Bob } = await storage.write((tx) => createUsers(tx, 'Ada', 'Bob'));
    await storage.write(async ({ externalLogins }) => {
      await externalLogins.add({ issuer: 'https://a', subject: '7', user_id: Ada.id });
      await externalLogins.add({ issuer: 'https://b', subject: '7', user_id: Bob.id });
      await externalLogins.add({ issuer: 'https://b', subject: '8', user_id: Ada.id });
    });
    await assert.rejects(
      storage.write((tx) => tx.externalLogins.add({ issuer: 'https://a', subject: '7', user_id: Bob.id })),
    );
    await storage.write((tx) => tx.externalLogins.removeOf(Ada.id));
    await storage.read(async ({ externalLogins }) => {
      assert.equal(await externalLogins.holder('https://a', '7'), undefined);
      assert.equal(await externalLogins.holder('https://b', '7'), Bob.id);
      assert.equal(await externalLogins.holder('https://b', '8'), undefined);
      assert.deepEqual(
        [await externalLogins.has(Ada.id, 'https://a'), await externalLogins.has(Bob.id, 'https://b')],
        [false, true],
      );
    });
  });
}
