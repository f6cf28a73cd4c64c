import type { Group, GroupHead, RoleGroups } from '../../model/groups.ts';
import type { Role } from '../../model/users.ts';
import { fold } from '../../rules/fold.ts';
import type { GroupStore } from '../interface/groups.ts';
import { inOrder, SqlStore, type SqlValue } from './connection.ts';
import { record } from './record.ts';

const GROUP = record<GroupHead>({
  id: 'integer',
  name: 'text',
  description: 'text',
  is_system_group: 'boolean',
  creator_id: 'integer',
  created_ms: 'integer',
  deactivated: 'boolean',
  settings: 'json',
});
const NEW_GROUP = GROUP.without('id');

const select = (condition: string) => `SELECT ${GROUP.columns} FROM user_groups WHERE ${condition} ORDER BY id`;
const ALL = select('true');
const BY_IDS = select('id IN_IDS(?)');
const BY_NAMES = select('ASCII_LOWER(name) IN_TEXTS(?)');
const WITH_SETTINGS = select("settings <> '{}'");
// Instead of OR, in which not every engine would use the indexes.
const BY_FOLDED_NAMES = select(`id IN (
  SELECT id FROM user_groups WHERE ASCII_LOWER(name) IN_TEXTS(?)
  UNION SELECT id FROM user_groups WHERE octet_length(name) <> length(name))`);
const NAMING = select(`id IN (
  SELECT id FROM user_groups WHERE creator_id IN_IDS(?) UNION SELECT id FROM user_groups WHERE settings <> '{}')`);
const INSERT = `INSERT INTO user_groups (${NEW_GROUP.columns}) VALUES (${NEW_GROUP.places}) RETURNING id`;
const ADD_MEMBERS = `
  INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM user_groups g CROSS JOIN users u
  WHERE g.id = ? AND u.id IN_IDS(?) ON CONFLICT DO NOTHING RETURNING user_id AS id`;
const JOIN = `
  INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM user_groups g CROSS JOIN users u
  WHERE g.id IN_IDS(?) AND u.id = ? ON CONFLICT DO NOTHING`;
const REMOVE_MEMBERS = `
  DELETE FROM group_members WHERE group_id = ? AND user_id IN_IDS(?) RETURNING user_id AS id`;
const ADD_SUBGROUPS = `
  INSERT INTO group_subgroups (group_id, subgroup_id) SELECT g.id, s.id FROM user_groups g CROSS JOIN user_groups s
  WHERE g.id = ? AND s.id IN_IDS(?) ON CONFLICT DO NOTHING RETURNING subgroup_id AS id`;
const REMOVE_SUBGROUPS = `
  DELETE FROM group_subgroups WHERE group_id = ? AND subgroup_id IN_IDS(?) RETURNING subgroup_id AS id`;
const MEMBERSHIPS = `
  SELECT group_id, user_id FROM group_members WHERE user_id IN_IDS(?) ORDER BY group_id, user_id`;
const NESTINGS = 'SELECT group_id, subgroup_id FROM group_subgroups ORDER BY group_id, subgroup_id';

/**
 * A recursion from some groups through nestings. PostgreSQL expects many rows from each step and would read all
 * nestings every time. The LATERAL subquery with OFFSET 0 makes it use the index.
 */
const recursion = {
  sqlite: (name: string, start: string, next: 'group_id' | 'subgroup_id', known: 'group_id' | 'subgroup_id') => `
  WITH RECURSIVE ${name}(id) AS (
    ${start}
    UNION
    SELECT s.${next} FROM ${name} f JOIN group_subgroups s ON s.${known} = f.id
  )`,
  postgres: (name: string, start: string, next: 'group_id' | 'subgroup_id', known: 'group_id' | 'subgroup_id') => `
  WITH RECURSIVE ${name}(id) AS (
    ${start}
    UNION
    SELECT s.${next} FROM ${name} f
    CROSS JOIN LATERAL (SELECT n.${next} FROM group_subgroups n WHERE n.${known} = f.id OFFSET 0) AS s
  )`,
};
const GIVEN = 'SELECT g.id FROM user_groups g WHERE g.id IN_IDS(?)';

/** The statements that look through nestings, in an engine's words. */
const nestingStatements = (recursive: (typeof recursion)['sqlite']) => {
  const mine = `SELECT d.group_id FROM group_members d WHERE d.user_id = ? UNION ${GIVEN}`;
  const inside = recursive('inner_groups', GIVEN, 'subgroup_id', 'group_id');
  return {
    containing: `${recursive('mine', mine, 'group_id', 'subgroup_id')} SELECT id FROM mine ORDER BY id`,
    around: `${recursive('outer_groups', GIVEN, 'group_id', 'subgroup_id')} SELECT id FROM outer_groups ORDER BY id`,
    inside: `${inside} SELECT id FROM inner_groups ORDER BY id`,
    // Joined in this order, which SQLite keeps: most groups are of no role.
    holders: `${inside}
  SELECT u.id, u.role FROM inner_groups i CROSS JOIN group_members m CROSS JOIN users u
  WHERE m.group_id = i.id AND u.id = m.user_id AND u.is_active = 1 AND u.is_system_bot = 0
  UNION
  SELECT u.id, u.role FROM users u WHERE u.id IN_IDS(?) AND u.is_active = 1 AND u.is_system_bot = 0
  UNION
  SELECT u.id, u.role FROM inner_groups i CROSS JOIN PAIRS(?) AS p CROSS JOIN users u
  WHERE p.a = i.id AND u.role = p.b AND u.is_active = 1 AND u.is_system_bot = 0
  UNION
  SELECT u.id, u.role FROM inner_groups i CROSS JOIN users u
  WHERE u.role = ? AND i.id = ? AND u.joined_ms <= ? AND u.is_active = 1 AND u.is_system_bot = 0`,
  };
};
const NESTING = { sqlite: nestingStatements(recursion.sqlite), postgres: nestingStatements(recursion.postgres) };
const NAMED = `
  SELECT id, role FROM users WHERE id IN_IDS(?) AND is_active = 1 AND is_system_bot = 0 ORDER BY id`;
const COUNT = `
  SELECT (SELECT COUNT(*) FROM user_groups WHERE is_system_group = 0) AS groups,
    (SELECT COUNT(*) FROM group_members) AS memberships, (SELECT COUNT(*) FROM group_subgroups) AS nestings`;

interface MemberRow {
  nested: number;
  group_id: number;
  member_id: number;
}

export class SqlGroups extends SqlStore implements GroupStore {
  readonly #nesting = NESTING[this.connection.dialect.name];
  readonly heads = this.statement.manyOf(GROUP, BY_IDS);
  readonly headsWithSettings = this.statement.many(GROUP, WITH_SETTINGS);

  async all(): Promise<Group[]> {
    return this.#withMembers(await this.connection.many(GROUP, ALL), 'true', []);
  }

  async byIds(ids: readonly number[]): Promise<Group[]> {
    if (ids.length === 0) return [];
    const list = JSON.stringify(ids);
    return this.#withMembers(await this.connection.many(GROUP, BY_IDS, [list]), 'group_id IN_IDS(?)', [list, list]);
  }

  async headsByNames(names: readonly string[]): Promise<GroupHead[]> {
    if (names.length === 0) return [];
    const wanted = new Set(names.map(fold));
    // Names beyond ASCII are compared here.
    const beyondAscii = [...wanted].some((name) => /[^\0-\x7f]/.test(name));
    const statement = beyondAscii ? BY_FOLDED_NAMES : BY_NAMES;
    const found = await this.connection.many(GROUP, statement, [JSON.stringify([...wanted])]);
    return found.filter((group) => wanted.has(fold(group.name)));
  }

  async headsNaming(userIds: readonly number[]): Promise<GroupHead[]> {
    return this.connection.many(GROUP, NAMING, [JSON.stringify(userIds)]);
  }

  async create(group: Omit<Group, 'id'>): Promise<number> {
    const id = await this.connection.insert(INSERT, NEW_GROUP.values(group));
    await this.addMembers(id, group.members);
    await this.addSubgroups(id, group.direct_subgroup_ids);
    return id;
  }

  async update(
    id: number,
    patch: Partial<Pick<Group, 'name' | 'description' | 'deactivated' | 'settings'>>,
  ): Promise<void> {
    const { text, params } = NEW_GROUP.assignments(patch);
    if (text === '') return;
    await this.connection.run(`UPDATE user_groups SET ${text} WHERE id = ?`, [...params, id]);
  }

  async addMembers(id: number, userIds: readonly number[]): Promise<number[]> {
    return this.#change(ADD_MEMBERS, id, userIds);
  }

  async join(ids: readonly number[], userId: number): Promise<void> {
    if (ids.length > 0) await this.connection.run(JOIN, [JSON.stringify(ids), userId]);
  }

  async removeMembers(id: number, userIds: readonly number[]): Promise<number[]> {
    return this.#change(REMOVE_MEMBERS, id, userIds);
  }

  async addSubgroups(id: number, groupIds: readonly number[]): Promise<number[]> {
    return this.#change(ADD_SUBGROUPS, id, groupIds);
  }

  async removeSubgroups(id: number, groupIds: readonly number[]): Promise<number[]> {
    return this.#change(REMOVE_SUBGROUPS, id, groupIds);
  }

  async directMemberships(userIds: readonly number[]): Promise<{ group_id: number; user_id: number }[]> {
    if (userIds.length === 0) return [];
    return this.connection.all<{ group_id: number; user_id: number }>(MEMBERSHIPS, [JSON.stringify(userIds)]);
  }

  async nestings(): Promise<{ group_id: number; subgroup_id: number }[]> {
    return this.connection.all<{ group_id: number; subgroup_id: number }>(NESTINGS);
  }

  async containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]> {
    return this.connection.column(this.#nesting.containing, [userId, JSON.stringify(roleGroupIds)]);
  }

  async inside(ids: readonly number[]): Promise<number[]> {
    return ids.length === 0 ? [] : this.connection.column(this.#nesting.inside, [JSON.stringify(ids)]);
  }

  async around(ids: readonly number[]): Promise<number[]> {
    return ids.length === 0 ? [] : this.connection.column(this.#nesting.around, [JSON.stringify(ids)]);
  }

  async holders(
    { direct_members, direct_subgroups }: { direct_members: readonly number[]; direct_subgroups: readonly number[] },
    { ofRoles, full }: RoleGroups,
  ): Promise<{ id: number; role: Role }[]> {
    if (direct_subgroups.length === 0) {
      return this.connection.all<{ id: number; role: Role }>(NAMED, [JSON.stringify(direct_members)]);
    }
    // In order here: for that, SQLite would go through all accounts.
    const found = await this.connection.all<{ id: number; role: Role }>(this.#nesting.holders, [
      JSON.stringify(direct_subgroups),
      JSON.stringify(direct_members),
      JSON.stringify(ofRoles),
      full.role,
      full.group,
      full.joined_by_ms,
    ]);
    return found.sort((a, b) => a.id - b.id);
  }

  async count(): Promise<{ groups: number; memberships: number; nestings: number }> {
    const row = await this.connection.get<{ groups: number; memberships: number; nestings: number }>(COUNT);
    return row ?? { groups: 0, memberships: 0, nestings: 0 };
  }

  async #change(statement: string, id: number, others: readonly number[]): Promise<number[]> {
    if (others.length === 0) return [];
    return inOrder(await this.connection.column(statement, [id, JSON.stringify(others)]));
  }

  /** @param condition for the rows of members and of subgroups */
  async #withMembers(heads: readonly GroupHead[], condition: string, params: SqlValue[]): Promise<Group[]> {
    const members = await this.connection.all<MemberRow>(
      `SELECT 0 AS nested, group_id, user_id AS member_id FROM group_members WHERE ${condition}
       UNION ALL
       SELECT 1 AS nested, group_id, subgroup_id AS member_id FROM group_subgroups WHERE ${condition}
       ORDER BY group_id, member_id`,
      params,
    );
    const groups = new Map<number, Group>();
    for (const head of heads) groups.set(head.id, { ...head, members: [], direct_subgroup_ids: [] });
    for (const { nested, group_id, member_id } of members) {
      const group = groups.get(group_id);
      (nested === 1 ? group?.direct_subgroup_ids : group?.members)?.push(member_id);
    }
    return [...groups.values()];
  }
}
