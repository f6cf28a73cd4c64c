import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { SyncRun } from '../../lib/chat/sync/run.ts';
import {
  isChatError,
  openChat,
  type SyncChange,
  type SyncLists,
  type SyncOptions,
  type SyncUser,
} from '../../lib/index.ts';
import { catalogue, FieldLocked, type Operation, transportOf } from '../../lib/internal.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { featureEngines, testOn } from '../support/engines.ts';

const LISTS = {
  channels: [
    { external_id: 'c1', name: 'Project 1', description: 'First' },
    { external_id: 'c2', name: 'Project 2', is_private: true },
  ],
  groups: [
    { external_id: 'staff', name: 'Staff' },
    { external_id: 'cooks', name: 'Cooks', groups: ['staff'] },
  ],
  users: [
    { external_id: 'u1', name: 'Uma One', email: 'uma@example.com', channels: ['c1', 'c2'], groups: ['cooks'] },
    { external_id: 'u2', name: 'Udo Two', role: 'moderator', channels: ['c1'], groups: [] },
    { external_id: 'u3', name: 'Ute Three', email: 'ute@example.com', is_active: false },
  ],
} as const satisfies SyncLists;

const UNCHANGED = { created: 0, adopted: 0, changed: 0, deactivated: 0, reactivated: 0, failed: 0 };

const brief = ({ kind, external_id, action, fields, reason }: SyncChange) =>
  [
    `${action} ${kind} ${external_id}`,
    ...fields.map(({ field, from, to }) => `${field}: ${from} > ${to}`),
    ...(reason === undefined ? [] : [reason]),
  ].join('; ');

for (const engine of featureEngines) {
  describe(`chat.sync on ${engine.name}`, () => {
    const test = testOn(engine);

    async function open(t: TestContext) {
      const place = await engine.open();
      const made = await testChat({ storage: place.storage });
      const again = async () => openChat({ storage: await place.reopen(), clock: made.clock });
      t.after(async () => {
        await made.close();
        await place.dispose();
      });
      const sync = async (lists: SyncLists, options?: SyncOptions) =>
        (await made.chat.sync(lists, options)).changes.map(brief);
      return { ...made, again, sync };
    }

    test('takes null for a field that is not given', async (t) => {
      const { chat, sync } = await open(t);
      const profile = { 'Favourite food': 'Soup' };
      const given = { ...LISTS, users: LISTS.users.map((user) => ({ ...user, profile })) };
      await chat.system().profileFields.create({ name: 'Favourite food', field_type: 1 });
      await sync(given);
      const rows = {
        channels: LISTS.channels.map(({ external_id, name }) => ({
          ...{ external_id, name, description: null, is_private: null, is_archived: null },
        })),
        groups: LISTS.groups.map(({ external_id, name }) => ({
          ...{ external_id, name, description: null, groups: null, is_active: null },
        })),
        users: LISTS.users.slice(0, 2).map(({ external_id, name }) => ({
          ...{ external_id, name, email: null, role: null, is_active: null, channels: null, groups: null },
          profile: { 'Favourite food': null },
        })),
        rooms: null,
      };
      assert.deepEqual(await sync(rows), []);
      assert.deepEqual(await sync({ rooms: [{ external_id: 'r1', name: 'Room', members: [], staff: null }] }), [
        'created room r1; name: null > Room',
      ]);
      await assert.rejects(sync({ users: [{ external_id: 'u9', name: null as unknown as string }] }), /name/);
    });

    test('creates what is missing, and a second sync changes nothing', async (t) => {
      const { chat, people, sync } = await open(t);
      const made = await sync(LISTS);
      assert.deepEqual(made, [
        'created channel c1; name: null > Project 1; description: null > First',
        'created channel c2; name: null > Project 2; is_private: null > true',
        'created group staff; name: null > Staff',
        'created group cooks; name: null > Cooks',
        'changed group cooks; groups: null > Staff',
        'created user u1; name: null > Uma One; email: null > uma@example.com; channels: null > Project 1; channels: null > Project 2; groups: null > Cooks',
        `created user u2; name: null > Udo Two; email: null > ${(await emailOf('u2')) ?? ''}; role: null > moderator; channels: null > Project 1`,
      ]);
      assert.deepEqual(await chat.sync(LISTS), { changes: [], counts: { ...UNCHANGED, unchanged: 7 } });
      async function emailOf(external_id: string) {
        const { user } = await people.ada.users.get({ user_id: await idOf(external_id) });
        return user.delivery_email;
      }
      async function idOf(external_id: string) {
        return (await chat.idOf('user', external_id)) ?? assert.fail();
      }
      const session = chat.as({ external_id: 'u1' });
      const { subscriptions } = await session.subscriptions.list();
      assert.deepEqual(
        subscriptions.map(({ name }) => name).filter((name) => name.startsWith('Project')),
        ['Project 1', 'Project 2'],
      );
      const { user_groups } = await people.ada.userGroups.list({ include_external_ids: true });
      const cooks = user_groups.find(({ name }) => name === 'Cooks') ?? assert.fail();
      assert.equal(cooks.external_id, 'cooks');
      assert.deepEqual(cooks.members, [await idOf('u1')]);
      assert.deepEqual(user_groups.find(({ name }) => name === 'Staff')?.direct_subgroup_ids, [cooks.id]);
    });

    test('rooms follow their list, and users keep their rooms whatever channels their rows name', async (t) => {
      const { chat, sync } = await open(t);
      const room = { external_id: 'order-17', name: 'Order 17', staff: 'staff' };
      const lists = { ...LISTS, rooms: [{ ...room, members: [{ external_id: 'u2' }] }] };
      const made = 'created room order-17; name: null > Order 17; staff: null > staff; people: null > Udo Two';
      const dry = (await chat.sync(lists, { dryRun: true })).changes.map(brief);
      assert.ok(dry.includes('created room order-17; name: null > Order 17; staff: null > staff'));
      assert.ok((await sync(lists)).includes(`${made}; people: null > Uma One`));
      assert.deepEqual(await chat.sync(lists), { changes: [], counts: { ...UNCHANGED, unchanged: 8 } });
      const people = async () => {
        const stream_id = (await chat.idOf('channel', 'order-17')) ?? assert.fail();
        const { subscribers } = await chat.system().channels.subscribers({ stream_id });
        return Promise.all(
          subscribers.map(async (user_id) => (await chat.system().users.get({ user_id })).user.full_name),
        );
      };
      assert.deepEqual(await people(), ['Uma One', 'Udo Two']);
      const emptied = LISTS.users.map((user) => ({ ...user, channels: [] }));
      await sync({ users: emptied });
      assert.deepEqual(await people(), ['Uma One', 'Udo Two']);
      const refused = [
        ...(await sync({ channels: [{ external_id: 'order-17', name: 'Order 17', is_private: false }] })),
        ...(await sync({ users: [{ ...LISTS.users[1], channels: ['Order 17'] }] })),
        ...(await sync({ rooms: [{ external_id: 'c2', name: 'Project 2', members: [] }] })),
      ];
      assert.deepEqual(
        refused.map((change) => change.split(';')[0]),
        ['failed channel order-17', 'failed user u2', 'failed room c2'],
      );
      assert.deepEqual(await sync({ rooms: [{ ...room, members: [], is_archived: true }] }), [
        'deactivated room order-17; people: Udo Two > null',
      ]);
      const reopened = { external_id: 'order-17', name: 'Order 17b', members: [] };
      assert.deepEqual(await sync({ rooms: [reopened] }), [
        'reactivated room order-17; name: Order 17 > Order 17b; staff: null > null; people: Uma One > null',
      ]);
    });

    test('a dry run reports the same changes and changes nothing', async (t) => {
      const { chat, people, sync } = await open(t);
      const before = await people.ada.users.list();
      const tried = (await chat.sync(LISTS, { dryRun: true })).changes;
      assert.ok(tried.every(({ id }) => id === null));
      assert.deepEqual(await people.ada.users.list(), before);
      assert.equal(await chat.idOf('channel', 'c1'), undefined);
      assert.deepEqual(tried.map(brief), await sync(LISTS));
    });

    test('renames, changes roles, moves between channels and groups, deactivates and reactivates', async (t) => {
      const { chat, people, sync } = await open(t);
      await sync(LISTS);
      const next: SyncLists = {
        channels: [
          { external_id: 'c1', name: 'Project One', description: '' },
          { external_id: 'c2', name: 'Project 2', is_archived: true },
        ],
        groups: [
          { external_id: 'staff', name: 'Staff', groups: ['cooks'] },
          { external_id: 'cooks', name: 'Chefs', groups: [] },
        ],
        users: [
          {
            external_id: 'u1',
            name: 'Uma Uno',
            email: 'uno@example.com',
            role: 'administrator',
            channels: [],
            groups: ['staff'],
          },
          { external_id: 'u2', name: 'Udo Two', is_active: false },
          { external_id: 'u3', name: 'Ute Three', email: people.dora.email, channels: ['Project One', 'general'] },
        ],
      };
      const session = chat.as({ external_id: 'u1' });
      const { queue_id } = await session.register({
        event_types: ['subscription', 'realm_user', 'stream', 'user_group'],
      });
      const tried = (await chat.sync(next, { dryRun: true })).changes.map(brief);
      const done = await sync(next);
      assert.deepEqual(tried, done);
      assert.deepEqual(done, [
        'changed channel c1; name: Project 1 > Project One; description: First > ',
        'deactivated channel c2',
        'changed group cooks; name: Cooks > Chefs',
        'changed group cooks; groups: Staff > null',
        'changed group staff; groups: null > Chefs',
        'changed user u1; name: Uma One > Uma Uno; email: uma@example.com > uno@example.com; role: member > administrator; channels: Project One > null; groups: null > Staff; groups: Chefs > null',
        'deactivated user u2; is_active: true > false',
        'adopted user u3; external_id: null > u3; name: Dora > Ute Three; channels: null > Project One',
      ]);
      const { events } = await session.events.list({ queue_id, last_event_id: -1, dont_block: true });
      const kinds = new Set(events.map((event) => `${event.type}/${'op' in event ? event.op : ''}`));
      for (const kind of ['realm_user/update', 'subscription/remove', 'stream/update', 'user_group/add_members'])
        assert.ok(kinds.has(kind), `${kind} in ${[...kinds]}`);
      assert.deepEqual((await chat.sync(next)).counts, { ...UNCHANGED, unchanged: 7 });
      assert.deepEqual(await sync({ users: [{ external_id: 'u2', name: 'Udo Two' }] }), [
        'reactivated user u2; is_active: false > true',
      ]);
    });

    test('a repeated external ID and a cycle of groups are refused and change nothing', async (t) => {
      const { chat, people } = await open(t);
      const before = await people.ada.users.list();
      const [uma] = LISTS.users;
      const twice = { ...LISTS, users: [...LISTS.users, { ...uma, email: 'other@example.com' }] };
      await assert.rejects(
        chat.sync(twice),
        (error) => isChatError(error, 'EXTERNAL_ID_IN_USE') && error.data.external_id === 'u1',
      );
      const cycle = [
        { external_id: 'a', name: 'A', groups: ['B'] },
        { external_id: 'b', name: 'B', groups: ['c'] },
        { external_id: 'c', name: 'C', groups: ['a'] },
      ];
      await assert.rejects(
        chat.sync({ ...LISTS, groups: cycle }),
        (error) => isChatError(error, 'GROUP_CYCLE') && error.data.groups.join() === 'a,b,c',
      );
      await assert.rejects(chat.sync({ users: [uma, { external_id: 'x', name: 'X', email: 'UMA@example.com' }] }), {
        code: 'EMAIL_ALREADY_IN_USE',
        message: /list contains the address "UMA@example.com" twice/,
      });
      await assert.rejects(chat.sync({ users: [], ...{ channels: LISTS.channels } }, { deactivateMissing: true }), {
        code: 'BAD_REQUEST',
      });
      assert.deepEqual(await people.ada.users.list(), before);
      assert.equal(await chat.idOf('channel', 'c1'), undefined);
    });

    test('a missing or unknown field is named', async (t) => {
      const { chat } = await open(t);
      const refused = (lists: object, message: string) =>
        assert.rejects(chat.sync(lists as SyncLists), { code: 'BAD_REQUEST', message });
      await refused({ users: [{ external_id: 'u1' }] }, 'users[0]["name"] is missing.');
      await refused({ rooms: [{ external_id: 'r1', name: 'R' }] }, 'rooms[0]["members"] is missing.');
      await refused(
        { users: [{ external_id: 'u1', name: 'U', sirname: '' }] },
        'users[0]["sirname"] is not a known field.',
      );
      await refused({ groups: ['staff'] }, 'groups[0] must be an object with external_id and name.');
    });

    test('a long cycle of groups and a lock of an unknown field are refused', async (t) => {
      const { chat, people } = await open(t);
      const groups = Array.from({ length: 30_000 }, (_, at) => ({
        external_id: `g${at}`,
        name: `Group ${at}`,
        groups: [`g${(at + 1) % 30_000}`],
      }));
      await assert.rejects(
        chat.sync({ groups }),
        (error) =>
          isChatError(error, 'GROUP_CYCLE') && error.data.groups.length === 30_000 && error.message.length < 300,
      );
      await assert.rejects(chat.sync({}, { lock: ['emails' as 'email'] }), {
        code: 'BAD_REQUEST',
        message: /lock\[0\]/,
      });
      await people.ada.users.edit({ user_id: people.dora.user_id, full_name: 'Dora Two' });
    });

    test('sync changes channels between private and public, also without an owner among the subscribers', async (t) => {
      const { sync } = await open(t);
      await sync(LISTS);
      const [, secret] = LISTS.channels;
      assert.deepEqual(await sync({ channels: [{ ...secret, is_private: false }] }), [
        'changed channel c2; is_private: true > false',
      ]);
      assert.deepEqual(await sync({ channels: [secret] }), ['changed channel c2; is_private: false > true']);
    });

    test('a group with an unknown subgroup is created, and one failure reports the subgroup', async (t) => {
      const { chat } = await open(t);
      const { counts } = await chat.sync({ groups: [{ external_id: 'a', name: 'A', groups: ['nowhere'] }] });
      assert.deepEqual([counts.created, counts.failed], [1, 1]);
    });

    test('external IDs and addresses with NUL or lone surrogates find nothing', async (t) => {
      const { chat, people } = await open(t);
      const key = await chat.apiKeyOf(people.ada);
      for (const text of ['u\0', 'u\ud800']) {
        for (const kind of ['user', 'channel', 'group'] as const) assert.equal(await chat.idOf(kind, text), undefined);
        for (const user of [text, { external_id: text }])
          await assert.rejects(chat.as(user).users.me(), { code: 'UNAUTHORIZED' });
        await assert.rejects(transportOf(chat).authenticate(text, key), { code: 'UNAUTHORIZED' });
      }
    });

    test('a refused row is reported, and other rows are applied', async (t) => {
      const { chat, sync, people } = await open(t);
      const changes = await sync({
        users: [
          { external_id: 'u1', name: '*' },
          { external_id: 'u2', name: 'Fine' },
          { external_id: 'u3', name: 'Lost', channels: ['nowhere'] },
          { external_id: 'u4', name: 'Ada', email: people.ada.email, is_active: false },
          { external_id: 'u5', name: 'Fine Too', email: 'fine@example.com' },
        ],
      });
      assert.deepEqual(changes.map((change) => change.split(';')[0]).sort(), [
        'created user u2',
        'created user u5',
        'failed user u1',
        'failed user u3',
        'failed user u4',
      ]);
      assert.match(changes.join(), /only owner of the organization cannot be deactivated/);
      assert.equal(await chat.idOf('user', 'u4'), undefined);
    });

    test('missing users are deactivated if they have an external ID, but never the last owner', async (t) => {
      const { chat, people, sync } = await open(t);
      await sync({ ...LISTS, users: [{ external_id: 'boss', name: 'Ada', email: people.ada.email }, ...LISTS.users] });
      const changes = await sync({ users: [{ external_id: 'u2', name: 'Udo Two' }] }, { deactivateMissing: true });
      assert.equal(changes.length, 2);
      assert.match(changes[0] ?? '', /^failed user boss; The only owner/);
      assert.equal(changes[1], 'deactivated user u1; is_active: true > false');
      assert.ok((await people.ada.users.me()).is_active);
      assert.ok((await people.dora.users.me()).is_active);
      await assert.rejects(chat.as({ external_id: 'u1' }).users.me(), { code: 'UNAUTHORIZED' });
    });

    test('external IDs are shown to administrators only, and only on request', async (t) => {
      const { people, sync, chat } = await open(t);
      await sync(LISTS);
      const user_id = (await chat.idOf('user', 'u1')) ?? assert.fail();
      const stream_id = (await chat.idOf('channel', 'c1')) ?? assert.fail();
      const seen = async ({ users, channels, userGroups }: typeof people.ada, include_external_ids: boolean) => {
        const options = { include_external_ids };
        return [
          (await users.get({ user_id, ...options })).user.external_id,
          (await users.getByEmail({ email: 'uma@example.com', ...options })).user.external_id,
          (await users.list(options)).members.find((user) => user.user_id === user_id)?.external_id,
          (await users.list({ user_ids: [user_id], ...options })).members[0]?.external_id,
          (await channels.get({ stream_id, ...options })).stream.external_id,
          (await channels.list(options)).streams.find((channel) => channel.stream_id === stream_id)?.external_id,
          (await userGroups.list(options)).user_groups.find(({ name }) => name === 'Cooks')?.external_id,
        ];
      };
      assert.deepEqual(await seen(people.ada, true), ['u1', 'u1', 'u1', 'u1', 'c1', 'c1', 'cooks']);
      for (const [session, isAsked] of [
        [people.ada, false],
        [people.dora, true],
      ] as const)
        assert.deepEqual(new Set(await seen(session, isAsked)), new Set([undefined]));
      assert.ok(!JSON.stringify(await people.ada.users.list()).includes('external_id'));
      assert.ok(!JSON.stringify(await people.dora.users.list({ include_external_ids: true })).includes('external_id'));
      const dora = await people.ada.users.get({ user_id: people.dora.user_id, include_external_ids: true });
      assert.equal(dora.user.external_id, undefined);
    });

    test('locked fields of mirrored records are refused to administrators, but not to the next sync', async (t) => {
      const { chat, people, sync } = await open(t);
      const lock = ['name', 'email', 'role', 'is_active', 'profile', 'channels', 'groups'] as const;
      const field = await people.ada.profileFields.create({ name: 'City', field_type: 1 });
      const users = [{ ...LISTS.users[0], profile: { City: 'Oslo' } }, ...LISTS.users.slice(1)];
      await sync({ ...LISTS, users }, { lock });
      const [user_id, stream_id, user_group_id, staff] = await Promise.all([
        chat.idOf('user', 'u1'),
        chat.idOf('channel', 'c1'),
        chat.idOf('group', 'cooks'),
        chat.idOf('group', 'staff'),
      ]).then((ids) => ids.map(Number) as [number, number, number, number]);
      const [ada, uma] = [people.ada, chat.as({ external_id: 'u1' })];
      const attempts: Record<string, readonly [operation: string, attempt: () => Promise<unknown>]> = {
        name: ['users.edit', () => ada.users.edit({ user_id, full_name: 'Other' })],
        'own name': ['settings.edit', () => uma.settings.edit({ full_name: 'Other' })],
        role: ['users.edit', () => ada.users.edit({ user_id, role: 300 })],
        profile: ['users.edit', () => ada.users.edit({ user_id, profile_data: [{ id: field.id, value: 'Rome' }] })],
        'own profile': ['profileFields.set', () => uma.profileFields.set({ data: [{ id: field.id, value: 'Rome' }] })],
        deactivation: ['users.deactivate', () => ada.users.deactivate({ user_id })],
        'own deactivation': ['users.deactivateMe', () => uma.users.deactivateMe()],
        'channel name': ['channels.edit', () => ada.channels.edit({ stream_id, new_name: 'Other' })],
        archiving: ['channels.archive', () => ada.channels.archive({ stream_id })],
        leaving: ['subscriptions.remove', () => uma.subscriptions.remove({ subscriptions: ['Project 1'] })],
        'group name': ['userGroups.edit', () => ada.userGroups.edit({ user_group_id, name: 'Other' })],
        'group deactivation': ['userGroups.deactivate', () => ada.userGroups.deactivate({ user_group_id })],
        membership: [
          'userGroups.updateMembers',
          () => ada.userGroups.updateMembers({ user_group_id, delete: [user_id] }),
        ],
        nesting: [
          'userGroups.updateSubgroups',
          () => ada.userGroups.updateSubgroups({ user_group_id: staff, delete: [user_group_id] }),
        ],
        'nesting with members': [
          'userGroups.updateMembers',
          () => ada.userGroups.updateMembers({ user_group_id: staff, delete_subgroups: [user_group_id] }),
        ],
      };
      const declaring = (catalogue as readonly Operation[]).filter(({ errors }) => errors.includes(FieldLocked));
      for (const [what, [operation, attempt]] of Object.entries(attempts)) {
        await assert.rejects(attempt(), (error) => isChatError(error, 'FIELD_LOCKED'), what);
        assert.ok(
          declaring.some(({ name }) => name === operation),
          `${operation} declares FIELD_LOCKED`,
        );
      }
      // Records without an external ID are not locked.
      const dora = people.dora.user_id;
      await ada.users.edit({ user_id: dora, full_name: 'Dora Two' });
      await uma.subscriptions.remove({ subscriptions: ['general'] });
      // Their memberships in records with an external ID are not locked.
      await ada.subscriptions.add({ subscriptions: [{ name: 'Project 1' }], principals: [dora] });
      await ada.userGroups.updateMembers({ user_group_id, add: [dora] });
      assert.deepEqual(await sync({ users: [{ ...users[0], name: 'Uma Uno', channels: [] }] as SyncUser[] }), [
        'changed user u1; name: Uma One > Uma Uno; channels: Project 1 > null; channels: Project 2 > null',
      ]);
      await sync({}, { lock: [] });
      await ada.users.edit({ user_id, full_name: 'Other' });
    });

    test('two processes sync at the same time, and messages do not wait for them', async (t) => {
      const { chat, again, people } = await open(t);
      const other = await again();
      t.after(() => other.close());
      const users = Array.from({ length: 3_000 }, (_, at) => ({ external_id: `u${at}`, name: `Person ${at}` }));
      let sent = 0;
      let isOver = false;
      const sending = (async () => {
        while (!isOver) {
          await people.ada.messages.send({ type: 'channel', to: 'general', topic: 'sync', content: 'x' });
          sent++;
        }
      })();
      const [one, two] = await Promise.all([chat.sync({ users }), other.sync({ users })]);
      isOver = true;
      await sending;
      assert.equal(one.counts.created + two.counts.created, 3_000);
      assert.equal(one.counts.failed + two.counts.failed, 0);
      assert.ok(sent > 1);
    });

    test('slow changes are done in small transactions, so that other writers get the lock', async (t) => {
      const { chat } = await open(t);
      const run = new SyncRun(transportOf(chat).engine, {});
      const sizes: number[] = [];
      const work = async (_context: unknown, items: readonly number[]) => {
        sizes.push(items.length);
        // A transaction must not wait, so this one blocks the thread.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * items.length);
        return [];
      };
      await run.writeInParts([...Array(300).keys()], 500, work, () => assert.fail());
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        300,
      );
      assert.ok(Math.max(...sizes) <= 100, `${sizes}`);
    });

    test('a stream is read once, and changes go to onChange', async (t) => {
      const { chat } = await open(t);
      async function* users() {
        for (let at = 0; at < 1_500; at++) yield { external_id: `u${at}`, name: `Person ${at}` };
      }
      const seen: string[] = [];
      const steps: number[] = [];
      const { changes, counts } = await chat.sync(
        { users: users() },
        { onChange: ({ external_id }) => void seen.push(external_id), onProgress: ({ done }) => void steps.push(done) },
      );
      assert.deepEqual(changes, []);
      assert.equal(counts.created, 1_500);
      assert.equal(new Set(seen).size, 1_500);
      assert.deepEqual(steps, [1_000, 1_500]);
    });
  });
}
