import assert from 'node:assert/strict';
import type { NewUser } from '../../lib/model/users.ts';
import type { NewReminder } from '../../lib/storage/interface/deliveries.ts';
import type { PushTokenRecord } from '../../lib/storage/interface/push.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { auditEntry } from './audit-contract.ts';
import {
  createChannel,
  createMessage,
  createUsers,
  newGroup,
  newUser,
  openFounded,
  subscribe,
  unsubscribe,
} from './fixtures.ts';

/** Rows that differ in one part of their key. A change of one row must not change another. */
export function neighboursContract(engine: Engine): void {
  const test = testOn(engine);
  const inTransaction = (name: string, work: (tx: Transaction) => Promise<void>) =>
    test(name, async (t) => {
      const { storage } = await openFounded(t, engine);
      await storage.write(work);
    });

  inTransaction('changing a draft, snippet or stored text changes no other one', async (tx) => {
    const { Ada, Ben } = await createUsers(tx, 'Ada', 'Ben');
    const snippet = { title: 't', content: 'c', date_created: 1 };
    const draft = { type: '' as const, to: [], topic: 't', content: 'c', timestamp: 1 };
    const ids: number[] = [];
    const draftIds: number[] = [];
    for (const { id } of [Ada, Ada, Ben]) {
      ids.push(await tx.savedSnippets.add(id, snippet));
      draftIds.push(...(await tx.drafts.add(id, [draft])));
      await tx.botStorage.set(
        id,
        [
          { key: 'a', value: 'v', bytes: 2 },
          { key: 'b', value: 'v', bytes: 2 },
        ],
        { entries: 2, bytes: 4 },
      );
    }
    const [first = 0, second = 0, bens = 0] = ids;
    const [firstDraft = 0, , bensDraft = 0] = draftIds;
    const snippets = async () =>
      (await Promise.all([Ada, Ben].map(({ id }) => tx.savedSnippets.of(id)))).map((of) =>
        of.map((one) => `${one.title}${one.content}`),
      );
    assert.equal((await tx.savedSnippets.get(Ada.id, second))?.id, second);
    assert.equal(await tx.savedSnippets.get(Ada.id, bens), undefined);
    assert.equal(await tx.savedSnippets.update(Ada.id, bens, { title: 'x' }), undefined);
    await tx.savedSnippets.update(Ada.id, first, { title: 'x' });
    assert.deepEqual(await snippets(), [['xc', 'tc'], ['tc']]);
    await tx.savedSnippets.update(Ada.id, second, { content: 'y' });
    assert.deepEqual(await snippets(), [['xc', 'ty'], ['tc']]);
    await tx.savedSnippets.update(Ada.id, second, { title: 'z', content: 'z' });
    assert.deepEqual(await snippets(), [['xc', 'zz'], ['tc']]);
    assert.equal(await tx.savedSnippets.remove(Ada.id, bens), false);
    assert.equal(await tx.savedSnippets.remove(Ada.id, first), true);
    assert.deepEqual(await snippets(), [['zz'], ['tc']]);
    const drafts = async () =>
      (await Promise.all([Ada, Ben].map(({ id }) => tx.drafts.of(id)))).map((of) => of.map(({ content }) => content));
    assert.equal(await tx.drafts.update(Ada.id, { ...draft, id: bensDraft, content: 'x' }), false);
    assert.equal(await tx.drafts.update(Ada.id, { ...draft, id: firstDraft, content: 'x' }), true);
    assert.deepEqual(
      (await drafts()).map((of) => of.sort()),
      [['c', 'x'], ['c']],
    );
    assert.equal(await tx.drafts.remove(Ada.id, bensDraft), false);
    assert.equal(await tx.drafts.remove(Ada.id, firstDraft), true);
    assert.deepEqual(await drafts(), [['c'], ['c']]);
    await tx.botStorage.set(Ada.id, [{ key: 'a', value: 'w', bytes: 2 }], { entries: 2, bytes: 4 });
    await tx.botStorage.remove(Ada.id, ['b'], { entries: 1, bytes: 2 });
    assert.deepEqual(await tx.botStorage.of(Ada.id), [{ key: 'a', value: 'w' }]);
    assert.equal((await tx.botStorage.of(Ben.id)).length, 2);
    assert.deepEqual((await tx.botStorage.sizes(Ada.id, ['a'])).all, { entries: 1, bytes: 2 });
    assert.deepEqual((await tx.botStorage.sizes(Ben.id, ['a'])).all, { entries: 2, bytes: 4 });
  });

  inTransaction('changing a subscription changes no other channel or user', async (tx) => {
    const { Ada, Ben } = await createUsers(tx, 'Ada', 'Ben');
    const [here, there] = [await createChannel(tx, 'here'), await createChannel(tx, 'there')];
    for (const channel of [here, there]) await subscribe(tx, channel, Ada, Ben);
    const properties = [
      'is_muted',
      'pin_to_top',
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
    ] as const;
    for (const property of [...properties, 'email_notifications', 'wildcard_mentions_notify'] as const) {
      await tx.subscriptions.update(Ada.id, property, new Map([[here, true]]));
      const values = (await tx.subscriptions.pairs([Ada.id, Ben.id], [here, there])).map(
        (one) => one[property] === true,
      );
      assert.deepEqual(values, [true, false, false, false], property);
    }
    await tx.subscriptions.update(
      Ada.id,
      'color',
      new Map([
        [here, '#000000'],
        [there, '#111111'],
      ]),
    );
    const colors = (await tx.subscriptions.pairs([Ada.id, Ben.id], [here, there])).map(({ color }) => color);
    assert.deepEqual(colors, ['#000000', '#111111', '#76ce90', '#76ce90']);
    await unsubscribe(tx, here, Ada);
    const active = (await tx.subscriptions.pairs([Ada.id, Ben.id], [here, there])).map((one) => one.active);
    assert.deepEqual(active, [false, true, true, true]);
    assert.deepEqual(await tx.subscriptions.subscribersUpTo(here, 5), [Ben.id]);
    assert.deepEqual(await tx.subscriptions.formerOf(Ada.id), [here]);
    assert.deepEqual(await tx.subscriptions.formerOfChannels([here, there]), [{ user_id: Ada.id, channel_id: here }]);
    await tx.users.deactivate([Ben.id]);
    assert.deepEqual(await tx.subscriptions.subscribersUpTo(here, 5), []);
    assert.deepEqual(
      [...(await tx.subscriptions.subscriberIds([here, there]))].filter(([, ids]) => ids.length > 0),
      [[there, [Ada.id]]],
    );
  });

  inTransaction('changing the policy of a topic changes no other topic, channel or user', async (tx) => {
    const { Ada, Ben } = await createUsers(tx, 'Ada', 'Ben');
    const [here, there] = [await createChannel(tx, 'here'), await createChannel(tx, 'there')];
    const names = [here, there].flatMap((channel_id) => ['a', 'b'].map((topic) => ({ channel_id, topic })));
    for (const name of names)
      await tx.userTopics.set([Ada.id, Ben.id], { ...name, visibility_policy: 1, last_updated: 1 });
    const [name, ...others] = names;
    assert.ok(name);
    const policies = async () => {
      const rows = [];
      for (const { id } of [Ada, Ben])
        for (const one of names) rows.push((await tx.userTopics.get(id, one))?.visibility_policy ?? 0);
      return rows.join('');
    };
    assert.equal(await policies(), '11111111');
    await tx.userTopics.set([Ada.id], { ...name, visibility_policy: 3, last_updated: 2 });
    assert.equal(await policies(), '31111111');
    assert.deepEqual(
      (await tx.userTopics.ofTopics([name])).map((one) => one.user_id),
      [Ada.id, Ben.id],
    );
    assert.deepEqual(
      (await tx.userTopics.ofTopic(name, Ada.id, 5)).map((one) => one.user_id),
      [Ben.id],
    );
    assert.deepEqual(
      (await tx.userTopics.ofTopic(name, 0, 1)).map((one) => one.user_id),
      [Ada.id],
    );
    assert.equal((await tx.userTopics.inChannels([here], [Ada.id], 9)).length, 2);
    assert.equal((await tx.userTopics.inChannels([here], [Ada.id], 1)).length, 1);
    assert.equal(await tx.userTopics.count(Ada.id), 4);
    for (const [at, one] of names.entries()) {
      const place = await tx.conversations.ensureTopic(one.channel_id, one.topic);
      const { visibility_policy } = await tx.userTopics.standing(Ada.id, place);
      assert.equal(visibility_policy, at === 0 ? 3 : 1);
    }
    await subscribe(tx, here, Ada, Ben);
    await subscribe(tx, there, Ada);
    await tx.subscriptions.update(Ada.id, 'is_muted', new Map([[there, true]]));
    for (const one of names) {
      assert.deepEqual(await tx.userTopics.wantingResolveNotices(one), one === name ? [Ada.id] : []);
      const place = await tx.conversations.ensureTopic(one.channel_id, one.topic);
      assert.equal(Boolean((await tx.userTopics.standing(Ada.id, place)).is_channel_muted), one.channel_id === there);
    }
    await unsubscribe(tx, here, Ada);
    assert.deepEqual(await tx.userTopics.wantingResolveNotices(name), []);
    assert.deepEqual(
      await tx.subscriptions.byChannel([Ada.id, Ben.id]),
      new Map([
        [here, [Ben.id]],
        [there, [Ada.id]],
      ]),
    );
    await tx.userTopics.remove([Ada.id], name);
    assert.equal(await policies(), '01111111');
    await tx.userTopics.move([Ben.id], others[0] ?? name, { channel_id: there, topic: 'c', last_updated: 3 });
    assert.equal(await policies(), '01111011');
    assert.equal((await tx.userTopics.get(Ben.id, { channel_id: there, topic: 'C' }))?.topic, 'c');
  });

  inTransaction('removing a reaction, flag or push token removes no other one', async (tx) => {
    const { Ada, Ben } = await createUsers(tx, 'Ada', 'Ben');
    const topic = await tx.conversations.ensureTopic(await createChannel(tx, 'here'), 'a');
    const messages = [await createMessage(tx, Ada, topic), await createMessage(tx, Ada, topic)];
    const [message = 0] = messages;
    const reaction = {
      message_id: message,
      user_id: Ada.id,
      reaction_type: 'unicode_emoji' as const,
      emoji_code: '1',
      emoji_name: 'a',
    };
    const nearby = [
      { message_id: messages[1] ?? 0 },
      { user_id: Ben.id },
      { reaction_type: 'realm_emoji' as const },
      { emoji_code: '2' },
    ];
    for (const one of [reaction, ...nearby.map((part) => ({ ...reaction, ...part }))]) await tx.reactions.add(one);
    assert.equal(await tx.reactions.remove(reaction), true);
    assert.equal(await tx.reactions.remove(reaction), false);
    assert.equal((await tx.reactions.of(messages)).length, 4);
    for (const { id } of [Ada, Ben])
      for (const flag of ['starred', 'collapsed'] as const) await tx.flags.set(id, messages, flag);
    assert.deepEqual(await tx.flags.clear(Ada.id, [message], 'starred'), [message]);
    const starred = async (flag: 'starred' | 'collapsed') => [
      await tx.flags.messagesWith(Ada.id, flag, 9),
      await tx.flags.messagesWith(Ben.id, flag, 9),
    ];
    assert.deepEqual(await starred('starred'), [[messages[1]], messages]);
    assert.deepEqual(await starred('collapsed'), [messages, messages]);
    assert.deepEqual(await tx.flags.messagesWith(Ben.id, 'starred', 1), [messages[1]]);
    await tx.flags.forget([Ada.id], topic.id, [message]);
    assert.deepEqual(await starred('collapsed'), [[messages[1]], messages]);
    const { Cleo, Dora } = await createUsers(tx, 'Cleo', 'Dora');
    await subscribe(tx, topic.channel_id ?? 0, Cleo, Dora);
    await tx.users.deactivate([Dora.id]);
    const next = await createMessage(tx, Ada, topic);
    assert.deepEqual(await tx.flags.setForReaders(next, [Ada.id, Cleo.id, Dora.id], 'mentioned'), [Cleo.id]);
    assert.deepEqual(await tx.flags.setForReaders(next, 'all', 'has_alert_word'), [Cleo.id]);
    for (const muted of [Ben, Cleo])
      for (const { id } of [Ada, Dora]) await tx.mutedUsers.add(id, { id: muted.id, timestamp: 1 });
    await tx.mutedUsers.remove(Ada.id, Cleo.id);
    const mutes = async (id: number) => (await tx.mutedUsers.of(id)).map((one) => one.id);
    assert.deepEqual([await mutes(Ada.id), await mutes(Dora.id)], [[Ben.id], [Ben.id, Cleo.id]]);
    assert.deepEqual(
      [await tx.mutedUsers.mutersOf(Ben.id), await tx.mutedUsers.mutersOf(Cleo.id)],
      [[Ada.id, Dora.id], [Dora.id]],
    );
    assert.equal(await tx.mutedUsers.mutedUntil(Ada.id, Cleo.id), next);
    const token: PushTokenRecord = { user_id: Ada.id, kind: 'apns', token: 'a', ios_app_id: 'app' };
    const tokens = [
      token,
      { ...token, user_id: Ben.id },
      { ...token, kind: 'fcm' as const, ios_app_id: null },
      { ...token, token: 'b' },
    ];
    for (const one of tokens) await tx.pushTokens.add(one);
    await tx.pushTokens.add({ ...token, ios_app_id: 'other' });
    const apps = async () => (await tx.pushTokens.ofAll([Ada.id, Ben.id])).map((one) => one.ios_app_id);
    assert.deepEqual(await apps(), ['other', 'app', null, 'app']);
    assert.equal(await tx.pushTokens.remove(Ada.id, 'apns', ['a']), 1);
    assert.deepEqual(await apps(), ['app', null, 'app']);
    assert.equal((await tx.pushTokens.removeOf(Ada.id)).length, 2);
    assert.deepEqual(await tx.pushTokens.ofAll([Ada.id, Ben.id]), [tokens[1]]);
  });

  inTransaction('failing a push device changes no other registration or user', async (tx) => {
    const { Ada, Ben } = await createUsers(tx, 'Ada', 'Ben');
    const register = async (user_id: number, push_account_id: number) =>
      (await tx.pushDevices.register({ user_id, push_account_id, token_kind: 'fcm', push_public_key: 'k' })) ??
      assert.fail();
    const [first, second, bens] = [await register(Ada.id, 1), await register(Ada.id, 2), await register(Ben.id, 1)];
    const errors = async () =>
      (await Promise.all([Ada, Ben].map(({ id }) => tx.pushDevices.of(id)))).flat().map(({ error_code }) => error_code);
    assert.equal(await tx.pushDevices.fail({ ...first, registration: 9 }, 'OLD'), false);
    assert.equal(await tx.pushDevices.fail(first, 'A'), true);
    assert.equal(await tx.pushDevices.fail(first, 'B'), false);
    assert.equal(await tx.pushDevices.activate(first, 5), false);
    assert.deepEqual(await errors(), ['A', null, null]);
    assert.deepEqual(
      (await tx.pushDevices.failAll(Ada.id, 'C')).map(({ id }) => id),
      [second.id],
    );
    assert.deepEqual(await errors(), ['A', 'C', null]);
    assert.equal(await tx.pushDevices.activate(bens, 6), true);
    assert.equal(await tx.pushDevices.activate(bens, 7), false);
    assert.deepEqual(
      (await tx.pushDevices.active([Ada.id, Ben.id])).map((one) => one.relay_device_id),
      [6],
    );
    const here = await createChannel(tx, 'here');
    await subscribe(tx, here, Ada, Ben);
    assert.deepEqual(await tx.pushDevices.someOwners({ users: [Ada.id, Ben.id] }, 5), [Ben.id]);
    for (const { id } of [Ada, Ben])
      await tx.pushTokens.add({ user_id: id, kind: 'fcm', token: 'a', ios_app_id: null });
    assert.deepEqual(await tx.pushDevices.someOwners({ channel: here }, 5), [Ada.id, Ben.id]);
    assert.deepEqual(await tx.pushDevices.someOwners({ channel: here }, 1), [Ada.id]);
    await unsubscribe(tx, here, Ada, Ben);
    assert.deepEqual(await tx.pushDevices.someOwners({ channel: here }, 5), []);
  });

  inTransaction('due reminders and notices are claimed oldest first, up to the limit, once', async (tx) => {
    const { Ada, Ben } = await createUsers(tx, 'Ada', 'Ben');
    const topic = await tx.conversations.ensureTopic(await createChannel(tx, 'here'), 'a');
    const message_id = await createMessage(tx, Ada, topic);
    const due = (seconds: number, user_id = Ada.id): NewReminder => ({
      scheduled_delivery_timestamp: seconds,
      user_id,
      message_id,
      note: '',
      content: 'c',
      rendered_content: 'c',
    });
    const ids: number[] = [];
    for (const seconds of [30, 10, 20, 40]) ids.push(await tx.reminders.create(due(seconds)));
    const bens = await tx.reminders.create(due(50, Ben.id));
    assert.equal(await tx.reminders.nextDue(), 10_000);
    const claimed = await tx.reminders.claimDue(40_000, 90_000, 2);
    assert.deepEqual(claimed.map(({ id }) => id).sort(), [ids[1], ids[2]].sort());
    const [one, other] = claimed;
    assert.ok(one && other);
    assert.equal(await tx.reminders.markSent({ ...one, revision: one.revision + 1 }, 1), false);
    assert.equal(await tx.reminders.markSent(one, 1), true);
    assert.equal(await tx.reminders.fail({ ...other, revision: other.revision + 1 }, 'F'), false);
    assert.equal(await tx.reminders.fail(other, 'F'), true);
    assert.deepEqual((await tx.reminders.of(Ada.id)).map(({ failure }) => failure).sort(), ['F', null, null].sort());
    assert.equal(await tx.reminders.remove(bens, Ada.id), false);
    assert.equal(await tx.reminders.remove(ids[0] ?? 0, Ada.id), true);
    assert.deepEqual(
      (await tx.reminders.claimDue(40_000, 90_000, 9)).map(({ id }) => id),
      [ids[3]],
    );
    assert.equal(await tx.reminders.nextDue(), 50_000);
    assert.deepEqual(
      (await tx.reminders.of(Ben.id)).map(({ id }) => id),
      [bens],
    );
    await tx.pushNotices.add(message_id, [Ada.id], 7_000);
    await tx.pushNotices.add(message_id, [Ben.id], 5_000);
    assert.deepEqual(
      (await tx.pushNotices.takeDue(9_000, 1)).map((notice) => notice.user_id),
      [Ben.id],
    );
    assert.deepEqual(
      (await tx.pushNotices.takeDue(7_000, 9)).map((notice) => notice.user_id),
      [Ada.id],
    );
  });

  inTransaction('limited lists return the newest entries, and user lists the accounts that count', async (tx) => {
    const many = Array.from({ length: 9 }, (_, at) =>
      auditEntry({ at_ms: at, user_id: at % 2, action: at % 3 === 0 ? 'a' : 'b' }),
    );
    await tx.audit.add(many);
    const times = async (selection: object) =>
      (await tx.audit.list({ since: 0, limit: 2, ...selection })).map(({ at_ms }) => at_ms);
    assert.deepEqual(
      [
        await times({}),
        await times({ userId: 1 }),
        await times({ action: 'a' }),
        await times({ userId: 1, action: 'b' }),
        await times({ since: 8 }),
      ],
      [[7, 8], [5, 7], [3, 6], [5, 7], [8]],
    );
    const made: Partial<NewUser>[] = [
      {},
      { is_active: false },
      { bot_type: 1 },
      { bot_type: 1, is_system_bot: true },
      { role: 600 },
    ];
    const users = await tx.users.createMany(
      made.map((fields, at) => newUser(`User${at}`, { ...fields, email_visibility: 5 })),
    );
    const [member, inactive, bot, system, guest] = users.map(({ id }) => id) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id);
    assert.equal(await tx.users.countActive(400), 1);
    assert.deepEqual(idsOf(await tx.users.bots(9)), [bot]);
    assert.deepEqual(await tx.users.activeIds(), [member, bot, guest]);
    assert.deepEqual(await tx.users.activeIds([600]), [guest]);
    assert.deepEqual(await tx.users.inactiveIds(), [inactive]);
    assert.deepEqual(idsOf(await tx.users.withEmailVisibility([5], 9)), [member, inactive, guest]);
    const joined = 1_700_000_000_456;
    assert.deepEqual(idsOf(await tx.users.joinedBetween(joined - 1, joined)), [member, bot, guest]);
    assert.deepEqual(idsOf(await tx.users.joinedBetween(joined, joined + 1)), []);
    const group = await tx.groups.create(newGroup('g', { members: [member, inactive, system] }));
    const [guests, full] = [await tx.groups.create(newGroup('guests')), await tx.groups.create(newGroup('full'))];
    const holders = async (direct_members: number[], direct_subgroups: number[], joined_by_ms = joined) => {
      const roles = { ofRoles: [[guests, 600] as const], full: { group: full, role: 400 as const, joined_by_ms } };
      const found = await tx.groups.holders({ direct_members, direct_subgroups }, roles);
      return idsOf(found).sort((a, b) => a - b);
    };
    assert.deepEqual(await holders([], [group]), [member]);
    assert.deepEqual(await holders([member, inactive, system], []), [member]);
    assert.deepEqual(await holders([], [guests]), [guest]);
    assert.deepEqual(await holders([], [full]), [member, bot]);
    assert.deepEqual(await holders([], [full], joined - 1), []);
    const here = await createChannel(tx, 'here');
    const topics = ['old', 'new', 'newest'];
    await subscribe(tx, here, { id: member });
    for (const topic of topics)
      await createMessage(tx, { id: member }, await tx.conversations.ensureTopic(here, topic));
    for (const receivedBy of [undefined, member]) {
      const options = { limit: 2, ...(receivedBy === undefined ? {} : { receivedBy }) };
      const found = await tx.conversations.topicsOf(here, options);
      assert.deepEqual(
        found.map(({ name }) => name),
        ['newest', 'new'],
      );
    }
    assert.deepEqual(await tx.conversations.topicsOf(here, { receivedBy: guest, limit: 9 }), []);
  });
}
