import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChatError, type Explanation } from '../../lib/index.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { bothEngines, sqliteEngine, type WorldEngine } from '../world/copies.ts';
import { CHANNELS, type UserName } from '../world/fixture.ts';
import type { World } from '../world/world.ts';
import { cannotBeTried, FEW_CALLERS, FEW_STRANGERS, testOutcomes, testStrangers, why } from './why-outcomes.ts';

testOutcomes(FEW_CALLERS);
testStrangers(FEW_STRANGERS);

async function inWorld(work: (world: World) => Promise<void>, engine: WorldEngine = sqliteEngine): Promise<void> {
  const world = await engine.world();
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

describe('why explains whether a call is allowed', () => {
  test('why refuses polls, and operations that check a password or a code', async () => {
    await inWorld(async (world) => {
      for (const operation of (catalogue as readonly Operation[]).filter(cannotBeTried)) {
        await assert.rejects(why(world, 'owner', operation.name, {}), ChatError, operation.name);
      }
    });
  });

  test('why of an operation in parts checks the first part only', async () => {
    await inWorld(async (world) => {
      const { storage, users, channels } = world;
      const send = (topic: string) =>
        world.as('hamlet').messages.send({ type: 'channel', to: channels.public, topic, content: 'x' });
      const counted = storage as unknown as { statements: number };
      const statements = async (topic_name: string) => {
        const before = counted.statements;
        const params = { stream_id: channels.public, topic_name };
        const { allowed } = await world.chat.why(users.administrator, 'topics.delete', params);
        assert.equal(allowed, true);
        return counted.statements - before;
      };
      await send('short');
      for (let at = 0; at < 501; at++) await send('long');
      await statements('short');
      const [ofShort, ofLong] = [await statements('short'), await statements('long')];
      assert.ok(ofLong > 0 && ofLong <= ofShort, `${ofLong} and ${ofShort} statements`);
      const before = counted.statements;
      await world.as('administrator').topics.delete({ stream_id: channels.public, topic_name: 'long' });
      const ofAllParts = counted.statements - before;
      assert.ok(ofAllParts > ofLong, `${ofAllParts} statements`);
    });
  });
});

const permissions = ({ steps }: Explanation) =>
  steps.filter(({ rule }) => rule === 'permission').map(({ rule, ...step }) => step);

for (const engine of bothEngines) {
  describe(`reasons of why on ${engine.name}`, { skip: engine.skip ?? false }, () => {
    test('why names the setting, its value and the groups through which a user has the permission', async () => {
      await inWorld(async (world) => {
        const { users, storage } = world;
        const ids = await storage.write(async (tx) => {
          const group = {
            external_id: null,
            description: '',
            is_system_group: false,
            creator_id: users.owner,
            created_ms: 1,
          };
          const fields = { ...group, deactivated: false, settings: {} };
          const support = { ...fields, name: 'support', members: [users.cordelia], direct_subgroup_ids: [] };
          const supportId = await tx.groups.create(support);
          const staff = { ...fields, name: 'staff', members: [], direct_subgroup_ids: [supportId] };
          return { staff: await tx.groups.create(staff) };
        });
        const value = { direct_members: [users.moderator], direct_subgroups: [ids.staff] };
        await world.settings({ can_create_public_channel_group: value });
        const ask = (about: UserName) => why(world, about, 'channels.create', { name: 'new', subscribers: [] });
        const names = await storage.read((tx) => tx.users.byId(users.moderator));
        const setting = { setting: 'can_create_public_channel_group', value: `staff, ${names?.full_name}` };
        assert.deepEqual(permissions(await ask('cordelia')), [
          { ...setting, outcome: 'yes', detail: 'They are in support ⊂ staff.' },
        ]);
        assert.deepEqual(permissions(await ask('moderator')), [
          { ...setting, outcome: 'yes', detail: 'It contains them directly.' },
        ]);
        const refused = await ask('hamlet');
        assert.deepEqual(permissions(refused), [
          { ...setting, outcome: 'no', detail: 'It contains neither them nor one of their groups.' },
        ]);
        assert.equal(refused.refusal?.code, 'BAD_REQUEST');
      }, engine);
    });
  });
}

describe('reasons of why', () => {
  test('why names the role through which a user is in a system group', async () => {
    await inWorld(async (world) => {
      const asked = await why(world, 'administrator', 'channels.create', { name: 'new', subscribers: [] });
      assert.deepEqual(permissions(asked), [
        {
          setting: 'can_create_public_channel_group',
          value: 'role:members',
          outcome: 'yes',
          detail: 'They are in role:members because they are an administrator.',
        },
      ]);
    });
  });

  test('why names each permission of a user group and the group', async () => {
    await inWorld(async (world) => {
      const { group_id } = await world
        .as('owner')
        .userGroups.create({ name: 'helpers', description: '', members: [world.users.cordelia] });
      const asked = await why(world, 'hamlet', 'userGroups.updateMembers', {
        user_group_id: group_id,
        add: [world.users.moderator],
      });
      assert.equal(asked.allowed, false);
      const of = { kind: 'group', id: group_id, name: 'helpers' };
      assert.deepEqual(
        permissions(asked).map((step) => [step.setting, step.of]),
        [
          ['can_manage_all_groups', undefined],
          ['can_manage_group', of],
          ['can_add_members_group', of],
        ],
      );
    });
  });

  test('why says that guests never have a permission that is not open to everyone', async () => {
    await inWorld(async (world) => {
      await world.settings({
        can_move_messages_between_channels_group: { direct_members: [world.users.guest], direct_subgroups: [] },
      });
      const { id } = await world.as('guest').messages.send({
        type: 'channel',
        to: CHANNELS.default,
        topic: 'here',
        content: 'Hello',
      });
      const channel = await world.as('owner').channels.getId({ stream: CHANNELS.public });
      const asked = await why(world, 'guest', 'messages.edit', { message_id: id, stream_id: channel.stream_id });
      assert.equal(asked.allowed, false);
      const step = asked.steps.find(({ setting }) => setting === 'can_move_messages_between_channels_group');
      assert.deepEqual(
        [step?.outcome, step?.detail],
        ['no', 'Guests never have this permission, not even as members of its groups.'],
      );
    });
  });
});

/** Calls about a hidden record, and the same calls about a missing one. */
const HIDDEN: Record<string, (world: World) => Promise<{ about: UserName; hidden: Asked; absent: Asked }>> = {
  'a private channel by its id': async (world) => ({
    about: 'cordelia',
    hidden: ['channels.archive', { stream_id: await hiddenChannel(world) }],
    absent: ['channels.archive', { stream_id: 9_999 }],
  }),
  'a private channel that is written to by its id': async (world) => ({
    about: 'cordelia',
    hidden: ['messages.send', { type: 'channel', to: await hiddenChannel(world), topic: 'x', content: 'x' }],
    absent: ['messages.send', { type: 'channel', to: 9_999, topic: 'x', content: 'x' }],
  }),
  'a private channel that a guest writes to': async (world) => ({
    about: 'guest',
    hidden: ['messages.send', { type: 'channel', to: await hiddenChannel(world), topic: 'x', content: 'x' }],
    absent: ['messages.send', { type: 'channel', to: 9_999, topic: 'x', content: 'x' }],
  }),
  'a message in a private channel': async (world) => ({
    about: 'cordelia',
    hidden: ['messages.addReaction', { message_id: await hiddenMessage(world), emoji_name: 'tada' }],
    absent: ['messages.addReaction', { message_id: 9_999, emoji_name: 'tada' }],
  }),
  'a message that would be deleted': async (world) => ({
    about: 'guest',
    hidden: ['messages.delete', { message_id: await hiddenMessage(world) }],
    absent: ['messages.delete', { message_id: 9_999 }],
  }),
  'a message that would be moved': async (world) => ({
    about: 'cordelia',
    hidden: ['messages.edit', { message_id: await hiddenMessage(world), topic: 'other' }],
    absent: ['messages.edit', { message_id: 9_999, topic: 'other' }],
  }),
  'an account that a restricted guest does not see': async (world) => {
    await world.settings({ can_access_all_users_group: 6 });
    const { user_id } = await world.as('owner').users.create({ email: 'far@example.com', full_name: 'Far Away' });
    await world.as('owner').subscriptions.remove({ subscriptions: [CHANNELS.default], principals: [user_id] });
    return {
      about: 'guest',
      hidden: ['messages.send', { type: 'direct', to: [user_id], content: 'x' }],
      absent: ['messages.send', { type: 'direct', to: [9_999], content: 'x' }],
    };
  },
};

type Asked = readonly [operation: string, parameters: object];

async function hiddenChannel(world: World): Promise<number> {
  const owner = world.as('owner');
  const { id } = await owner.channels.create({
    name: 'hidden',
    invite_only: true,
    subscribers: [world.users.owner],
    announce: false,
  });
  return id;
}

async function hiddenMessage(world: World): Promise<number> {
  const to = await hiddenChannel(world);
  return (await world.as('owner').messages.send({ type: 'channel', to, topic: 'x', content: 'x' })).id;
}

describe('why of the own account', () => {
  for (const [what, prepare] of Object.entries(HIDDEN)) {
    test(`why gives users the same for ${what} and a missing one, and trusted code the real reason`, async () => {
      await inWorld(async (world) => {
        const { about, hidden, absent } = await prepare(world);
        const own = ([operation, parameters]: Asked) =>
          world.as(about).why(world.users[about], operation as 'register', parameters);
        const [ofHidden, ofAbsent] = [await own(hidden), await own(absent)];
        assert.equal(ofHidden.allowed, false);
        assert.deepEqual(withoutNumbers(ofHidden), withoutNumbers(ofAbsent));
        const [toldOfHidden, toldOfAbsent] = [await why(world, about, ...hidden), await why(world, about, ...absent)];
        assert.notDeepEqual(withoutNumbers(toldOfHidden), withoutNumbers(toldOfAbsent));
      });
    });
  }

  test('why gives users the settings of channels that they can see', async () => {
    await inWorld(async (world) => {
      const { stream_id } = await world.as('owner').channels.getId({ stream: CHANNELS.public });
      const asked = await world.as('cordelia').why(world.users.cordelia, 'channels.archive', { stream_id });
      assert.ok(
        asked.steps.some(({ setting, of }) => setting === 'can_administer_channel_group' && of?.id === stream_id),
      );
    });
  });

  test('why gives guests the number, not the names, of users with a permission', async () => {
    await inWorld(async (world) => {
      const { users } = world;
      const value = { direct_members: [users.owner, users.hamlet], direct_subgroups: [2] };
      await world.settings({ direct_message_initiator_group: value });
      const asked = await world.as('guest').why(users.guest, 'messages.send', {
        type: 'direct',
        to: [users.cordelia],
        content: 'x',
      });
      const step = asked.steps.find(({ setting }) => setting === 'direct_message_initiator_group');
      assert.equal(step?.value, 'role:owners, 2 people');
    });
  });

  test('why of another user is refused, except for administrators', async () => {
    await inWorld(async (world) => {
      const refused = world.as('moderator').why(world.users.cordelia, 'users.me');
      await assert.rejects(refused, (error) => error instanceof ChatError && error.code === 'UNAUTHORIZED_PRINCIPAL');
      assert.equal((await world.as('administrator').why(world.users.cordelia, 'channels.list')).allowed, true);
      await assert.rejects(world.chat.anonymous().why(world.users.cordelia, 'users.me'), ChatError);
    });
  });
});

/** IDs differ, so numbers are not compared. */
const withoutNumbers = (explanation: Explanation) => JSON.parse(JSON.stringify(explanation).replace(/\d+/g, '0'));
