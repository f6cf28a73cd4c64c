import assert from 'node:assert/strict';
import type { RoleGroups } from '../../lib/model/groups.ts';
import type { Transaction } from '../../lib/storage/interface/storage.ts';
import { type Engine, testOn } from '../support/engines.ts';
import { createChannel, createUsers, newGroup, newUser, openFounded } from './fixtures.ts';

/** No role makes a user a member of a named group. */
const NO_ROLES: RoleGroups = { ofRoles: [], full: { group: 0, role: 400, joined_by_ms: 0 } };

const within = async (tx: Transaction, ...direct_subgroups: number[]) =>
  (await tx.groups.holders({ direct_members: [], direct_subgroups }, NO_ROLES)).map(({ id }) => id);

export function groupsContract(engine: Engine): void {
  const test = testOn(engine);
  test('a user joins several groups in one call, and existing memberships stay', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      const crew = await tx.groups.create(newGroup('crew', { members: [Bob.id] }));
      const cooks = await tx.groups.create(newGroup('cooks', { members: [Ada.id] }));
      await tx.groups.join([crew, cooks, 9_999], Ada.id);
      await tx.groups.join([], Bob.id);
      const groups = await tx.groups.byIds([crew, cooks]);
      assert.deepEqual(
        groups.map(({ members }) => members),
        [[Ada.id, Bob.id], [Ada.id]],
      );
    });
  });

  test('a group is read back with sorted members and subgroups', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const plain = await tx.groups.create(newGroup('plain', { is_system_group: true, created_ms: null }));
      const inner = await tx.groups.create(newGroup('inner'));
      const group = newGroup('crew', {
        description: 'all hands',
        creator_id: Bob.id,
        settings: { can_mention_group: inner, can_add: { direct_members: [Ada.id], direct_subgroups: [plain] } },
        members: [Ada.id, Bob.id, Cyd.id],
        direct_subgroup_ids: [plain, inner],
      });
      const id = await tx.groups.create({
        ...group,
        members: [Cyd.id, Ada.id, Bob.id],
        direct_subgroup_ids: [inner, plain],
      });
      const groups = await tx.groups.all();
      assert.deepEqual(
        groups.map((each) => each.id),
        [plain, inner, id],
      );
      assert.deepEqual(groups[2], { ...group, id });
      assert.deepEqual(groups[0], {
        ...newGroup('plain', { is_system_group: true, created_ms: null }),
        id: plain,
      });
      assert.deepEqual(await tx.groups.byIds([id, 9_999, plain]), [groups[0], groups[2]]);
      assert.deepEqual(await tx.groups.byIds([]), []);
    });
  });

  test('the groups of a user include those through membership, role and nesting at any depth', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const role = await tx.groups.create(newGroup('role:members', { is_system_group: true }));
      const inner = await tx.groups.create(newGroup('inner', { members: [Ada.id] }));
      const middle = await tx.groups.create(newGroup('middle', { direct_subgroup_ids: [inner] }));
      const outer = await tx.groups.create(
        newGroup('outer', { members: [Bob.id], direct_subgroup_ids: [middle, role] }),
      );
      await tx.groups.create(newGroup('apart'));
      const sorted = async (user: number, roles: number[]) =>
        [...(await tx.groups.containing(user, roles))].sort((one, other) => one - other);
      assert.deepEqual(await sorted(Ada.id, []), [inner, middle, outer]);
      assert.deepEqual(await sorted(Bob.id, []), [outer]);
      assert.deepEqual(await sorted(Cyd.id, [role]), [role, outer]);
      assert.deepEqual(await sorted(Cyd.id, []), []);
    });
  });

  test('adding and removing members and subgroups returns the IDs that changed', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const inner = await tx.groups.create(newGroup('inner'));
      const id = await tx.groups.create(newGroup('crew', { members: [Ada.id] }));
      assert.deepEqual(await tx.groups.addMembers(id, [Cyd.id, Ada.id, Bob.id, 9_999]), [Bob.id, Cyd.id]);
      assert.deepEqual(await tx.groups.addMembers(id, []), []);
      assert.deepEqual(await tx.groups.removeMembers(id, [Bob.id, 9_999]), [Bob.id]);
      assert.deepEqual(await tx.groups.removeMembers(id, [Bob.id]), []);
      assert.deepEqual(await tx.groups.addSubgroups(id, [inner, 9_999]), [inner]);
      assert.deepEqual(await tx.groups.addSubgroups(id, [inner]), []);
      assert.deepEqual(await tx.groups.nestings(), [{ group_id: id, subgroup_id: inner }]);
      assert.deepEqual(await tx.groups.directMemberships([Bob.id, Cyd.id, Ada.id]), [
        { group_id: id, user_id: Ada.id },
        { group_id: id, user_id: Cyd.id },
      ]);
      assert.deepEqual(await tx.groups.count(), { groups: 2, memberships: 2, nestings: 1 });
      assert.deepEqual(await tx.groups.removeSubgroups(id, [inner]), [inner]);
      assert.deepEqual((await tx.groups.byIds([id]))[0], { ...newGroup('crew', { members: [Ada.id, Cyd.id] }), id });
    });
  });

  test('updating a group changes the given fields only, and groups are found by name in any case', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const id = await tx.groups.create(newGroup('Ärzte', { creator_id: Ada.id, members: [Ada.id] }));
      const other = await tx.groups.create(newGroup('cooks'));
      await tx.groups.update(id, { description: 'x', deactivated: true, settings: { can_join_group: other } });
      const {
        members: _,
        direct_subgroup_ids: _2,
        ...head
      } = newGroup('Ärzte', {
        creator_id: Ada.id,
        description: 'x',
        deactivated: true,
        settings: { can_join_group: other },
      });
      assert.deepEqual(await tx.groups.heads([id]), [{ ...head, id }]);
      const named = async (...names: string[]) => (await tx.groups.headsByNames(names)).map((group) => group.id);
      assert.deepEqual(await named('ÄRZTE', 'Cooks', 'nobody'), [id, other]);
      assert.deepEqual(await named('COOKS'), [other]);
      assert.deepEqual(await named(), []);
      assert.deepEqual(
        (await tx.groups.headsWithSettings()).map((group) => group.id),
        [id],
      );
      await tx.groups.update(id, { settings: {} });
      assert.deepEqual(await tx.groups.headsWithSettings(), []);
      assert.deepEqual(
        (await tx.groups.headsNaming([Ada.id])).map((group) => group.id),
        [id],
      );
    });
  });

  test('the holders of a permission are active users, each once, through membership, nesting or role', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd, Dan } = await createUsers(tx, 'Ada', 'Bob', 'Cyd', 'Dan');
      const owner = await tx.users.create(newUser('Owner', { role: 100 }));
      const young = await tx.users.create(newUser('Young', { joined_ms: 1_800_000_000_000 }));
      const system = await tx.users.create(newUser('System', { role: 100, is_system_bot: true }));
      const owners = await tx.groups.create(newGroup('role:owners', { is_system_group: true }));
      const full = await tx.groups.create(newGroup('role:fullmembers', { direct_subgroup_ids: [owners] }));
      const inner = await tx.groups.create(newGroup('inner', { members: [Ada.id, Dan.id], deactivated: true }));
      const outer = await tx.groups.create(newGroup('outer', { members: [Bob.id], direct_subgroup_ids: [inner] }));
      await tx.users.update(Dan.id, { is_active: false });
      const roles: RoleGroups = {
        ofRoles: [[owners, 100]],
        full: { group: full, role: 400, joined_by_ms: 1_700_000_000_456 },
      };
      const ids = async (direct_members: number[], direct_subgroups: number[]) =>
        (await tx.groups.holders({ direct_members, direct_subgroups }, roles)).map(({ id }) => id);
      assert.deepEqual(await ids([Cyd.id, Dan.id, system.id, 9_999], []), [Cyd.id]);
      assert.deepEqual(await ids([], [outer]), [Ada.id, Bob.id], 'nesting continues through a deactivated group');
      assert.deepEqual(await ids([Cyd.id, Ada.id], [inner, outer]), [Ada.id, Bob.id, Cyd.id]);
      assert.deepEqual(await ids([], [owners]), [owner.id]);
      assert.deepEqual(await ids([], [full]), [Ada.id, Bob.id, Cyd.id, owner.id], 'new members are not full members');
      assert.deepEqual(await ids([young.id], []), [young.id]);
      assert.deepEqual(await ids([], []), []);
      assert.deepEqual(await tx.groups.holders({ direct_members: [owner.id], direct_subgroups: [] }, roles), [
        { id: owner.id, role: 100 },
      ]);
    });
  });

  test('a chain of 1,000 nested groups is read in one statement, in both directions', async (t) => {
    const { storage } = await openFounded(t, engine);
    const { Ada, chain } = await storage.write(async (tx) => {
      const { Ada } = await createUsers(tx, 'Ada');
      const chain: number[] = [];
      for (let n = 0; n < 1_000; n++) {
        const inside = chain.at(-1);
        chain.push(
          await tx.groups.create(
            newGroup(`chain ${n}`, {
              members: n === 0 ? [Ada.id] : [],
              direct_subgroup_ids: inside === undefined ? [] : [inside],
            }),
          ),
        );
      }
      return { Ada, chain };
    });
    const [innermost = 0, outermost = 0] = [chain[0], chain.at(-1)];
    await storage.read(async (tx) => {
      const counted = async <T>(work: () => Promise<T>) => {
        const before = statements(storage);
        const answer = await work();
        assert.equal(statements(storage) - before, 1);
        return answer;
      };
      assert.deepEqual(await counted(() => tx.groups.containing(Ada.id, [])), chain);
      assert.deepEqual(await counted(() => tx.groups.around([innermost])), chain);
      assert.deepEqual(await counted(() => tx.groups.inside([outermost])), chain);
      assert.deepEqual(await counted(() => within(tx, outermost)), [Ada.id]);
    });
  });

  test('a diamond of 10 nested layers returns each group and each user once', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob } = await createUsers(tx, 'Ada', 'Bob');
      let below = [await tx.groups.create(newGroup('bottom', { members: [Ada.id, Bob.id] }))];
      const all = [...below];
      for (let layer = 0; layer < 10; layer++) {
        const next: number[] = [];
        for (const side of ['left', 'right', 'middle'])
          next.push(
            await tx.groups.create(newGroup(`${side} ${layer}`, { direct_subgroup_ids: below, members: [Ada.id] })),
          );
        below = next;
        all.push(...next);
      }
      const top = await tx.groups.create(newGroup('top', { direct_subgroup_ids: below }));
      assert.deepEqual(await within(tx, top), [Ada.id, Bob.id]);
      assert.deepEqual(await tx.groups.inside([top]), [...all, top]);
      assert.deepEqual(await tx.groups.containing(Bob.id, []), [...all, top]);
    });
  });

  test('channels that have own permissions are listed with them', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      await createChannel(tx, 'plain');
      const id = await createChannel(tx, 'special');
      await tx.channels.update(id, { settings: { can_subscribe_group: 6 }, invite_only: true });
      assert.deepEqual(await tx.channels.withSettings(), [
        { id, invite_only: true, is_archived: false, settings: { can_subscribe_group: 6 } },
      ]);
      const [rules, ...others] = await tx.channels.naming([]);
      assert.deepEqual(others, []);
      const settings = { can_subscribe_group: 6 };
      const kind = { invite_only: true, is_web_public: false, is_archived: false };
      assert.deepEqual(rules, { id, name: 'special', creator_id: null, ...kind, settings });
    });
  });

  test('many direct conversations are created in one call, and one message is sent to each', async (t) => {
    const { storage } = await openFounded(t, engine);
    await storage.write(async (tx) => {
      const { Ada, Bob, Cyd } = await createUsers(tx, 'Ada', 'Bob', 'Cyd');
      const known = await tx.conversations.ensureDirect([Ada.id, Bob.id]);
      const both = await tx.conversations.ensureDirects([
        [Bob.id, Ada.id],
        [Ada.id, Cyd.id],
      ]);
      assert.deepEqual(await tx.conversations.ensureDirects([]), []);
      const found = await tx.conversations.direct([Cyd.id, Ada.id]);
      assert.deepEqual(
        both.sort((a, b) => a.id - b.id),
        [known, found],
      );
      const message = {
        sender_id: Ada.id,
        content: 'Hail',
        rendered_content: '<p>Hail</p>',
        timestamp: 7,
        client: 'test',
        is_me_message: false,
        read_by_sender: true,
      };
      const placed = both.map(({ id }) => ({ ...message, conversation_id: id }));
      const given = await tx.messages.createMany(placed);
      const ids = new Map(both.map(({ id }, at) => [id, given[at] as number]));
      for (const { id, participants } of both) {
        const { id: _, ...stored } = (await tx.messages.byId(ids.get(id) as number)) ?? assert.fail();
        assert.deepEqual(stored, {
          ...message,
          conversation_id: id,
          last_edit_timestamp: null,
          last_moved_timestamp: null,
          channel_id: null,
          topic: '',
        });
        for (const user of participants.filter((one) => one !== Ada.id))
          assert.deepEqual(
            (await tx.readState.unread(user, 10)).map((one) => one.id),
            [ids.get(id)],
          );
      }
      assert.deepEqual(await tx.readState.unread(Ada.id, 10), []);
    });
  });
}

const statements = (storage: object) => (storage as { statements: number }).statements;
