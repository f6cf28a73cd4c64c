import { fold } from '../../rules/fold.ts';
import type { Group, GroupHead, GroupStore, RoleGroups } from '../interface/groups.ts';
import type { Role } from '../interface/users.ts';
import type { Connection, SqlValue } from './connection.ts';
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
const CONTAINING = `
  WITH RECURSIVE mine(id) AS (
    SELECT d.group_id FROM group_members d WHERE d.user_id = ?
    UNION
    SELECT g.id FROM user_groups g WHERE g.id IN_IDS(?)
    UNION
    SELECT s.group_id FROM mine JOIN group_subgroups s ON s.subgroup_id = mine.id
  ) SELECT id FROM mine ORDER BY id`;
const AROUND = `
  WITH RECURSIVE outer_groups(id) AS (
    SELECT g.id FROM user_groups g WHERE g.id IN_IDS(?)
    UNION
    SELECT s.group_id FROM outer_groups o JOIN group_subgroups s ON s.subgroup_id = o.id
  ) SELECT id FROM outer_groups ORDER BY id`;
const INSIDE = `
  WITH RECURSIVE inner_groups(id) AS (
    SELECT g.id FROM user_groups g WHERE g.id IN_IDS(?)
    UNION
    SELECT s.subgroup_id FROM inner_groups i JOIN group_subgroups s ON s.group_id = i.id
  )`;
const INSIDE_IDS = `${INSIDE} SELECT id FROM inner_groups ORDER BY id`;
const HOLDERS = `${INSIDE}
  SELECT u.id, u.role FROM inner_groups i JOIN group_members m ON m.group_id = i.id JOIN users u ON u.id = m.user_id
  WHERE u.is_active = 1 AND u.is_system_bot = 0
  UNION
  SELECT u.id, u.role FROM users u WHERE u.id IN_IDS(?) AND u.is_active = 1 AND u.is_system_bot = 0
  UNION
  SELECT u.id, u.role FROM inner_groups i JOIN PAIRS(?) AS p ON p.a = i.id JOIN users u ON u.role = p.b
  WHERE u.is_active = 1 AND u.is_system_bot = 0
  UNION
  SELECT u.id, u.role FROM inner_groups i JOIN users u ON u.role = ?
  WHERE i.id = ? AND u.joined_ms <= ? AND u.is_active = 1 AND u.is_system_bot = 0
  ORDER BY 1`;
const COUNT = `
  SELECT (SELECT COUNT(*) FROM user_groups WHERE is_system_group = 0) AS groups,
    (SELECT COUNT(*) FROM group_members) AS memberships, (SELECT COUNT(*) FROM group_subgroups) AS nestings`;

interface MemberRow {
  nested: number;
  group_id: number;
  member_id: number;
}

export class SqlGroups implements GroupStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async all(): Promise<Group[]> {
    return this.#load('true', 'true', []);
  }

  async byIds(ids: readonly number[]): Promise<Group[]> {
    if (ids.length === 0) return [];
    return this.#load('id IN_IDS(?)', 'group_id IN_IDS(?)', [JSON.stringify(ids)]);
  }

  async heads(ids: readonly number[]): Promise<GroupHead[]> {
    return ids.length === 0 ? [] : this.#heads('id IN_IDS(?)', [JSON.stringify(ids)]);
  }

  async headsByNames(names: readonly string[]): Promise<GroupHead[]> {
    if (names.length === 0) return [];
    const wanted = new Set(names.map(fold));
    // An engine's own lower() may know ASCII alone, so names beyond it are compared here.
    const beyondAscii = [...wanted].some((name) => /[^\0-\x7f]/.test(name));
    const found = await this.#heads(
      `lower(name) IN_TEXTS(?)${beyondAscii ? ' OR octet_length(name) <> length(name)' : ''}`,
      [JSON.stringify([...wanted])],
    );
    return found.filter((group) => wanted.has(fold(group.name)));
  }

  async headsWithSettings(): Promise<GroupHead[]> {
    return this.#heads("settings <> '{}'", []);
  }

  async headsNaming(userIds: readonly number[]): Promise<GroupHead[]> {
    return this.#heads("creator_id IN_IDS(?) OR settings <> '{}'", [JSON.stringify(userIds)]);
  }

  async create(group: Omit<Group, 'id'>): Promise<number> {
    const id = await this.#connection.insert(INSERT, NEW_GROUP.values(group));
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
    await this.#connection.run(`UPDATE user_groups SET ${text} WHERE id = ?`, [...params, id]);
  }

  async addMembers(id: number, userIds: readonly number[]): Promise<number[]> {
    return this.#change(ADD_MEMBERS, id, userIds);
  }

  async join(ids: readonly number[], userId: number): Promise<void> {
    if (ids.length > 0) await this.#connection.run(JOIN, [JSON.stringify(ids), userId]);
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
    return this.#connection.all<{ group_id: number; user_id: number }>(MEMBERSHIPS, [JSON.stringify(userIds)]);
  }

  async nestings(): Promise<{ group_id: number; subgroup_id: number }[]> {
    return this.#connection.all<{ group_id: number; subgroup_id: number }>(NESTINGS);
  }

  async containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]> {
    return this.#ids(CONTAINING, [userId, JSON.stringify(roleGroupIds)]);
  }

  async inside(ids: readonly number[]): Promise<number[]> {
    return ids.length === 0 ? [] : this.#ids(INSIDE_IDS, [JSON.stringify(ids)]);
  }

  async around(ids: readonly number[]): Promise<number[]> {
    return ids.length === 0 ? [] : this.#ids(AROUND, [JSON.stringify(ids)]);
  }

  async holders(
    { direct_members, direct_subgroups }: { direct_members: readonly number[]; direct_subgroups: readonly number[] },
    { ofRoles, full }: RoleGroups,
  ): Promise<{ id: number; role: Role }[]> {
    return this.#connection.all<{ id: number; role: Role }>(HOLDERS, [
      JSON.stringify(direct_subgroups),
      JSON.stringify(direct_members),
      JSON.stringify(ofRoles),
      full.role,
      full.group,
      full.joined_by_ms,
    ]);
  }

  async count(): Promise<{ groups: number; memberships: number; nestings: number }> {
    const row = await this.#connection.get<{ groups: number; memberships: number; nestings: number }>(COUNT);
    return row ?? { groups: 0, memberships: 0, nestings: 0 };
  }

  async #change(statement: string, id: number, others: readonly number[]): Promise<number[]> {
    if (others.length === 0) return [];
    const changed = await this.#ids(statement, [id, JSON.stringify(others)]);
    return changed.sort((one, other) => one - other);
  }

  async #ids(statement: string, params: SqlValue[]): Promise<number[]> {
    return (await this.#connection.all<{ id: number }>(statement, params)).map((row) => row.id);
  }

  async #heads(condition: string, params: SqlValue[]): Promise<GroupHead[]> {
    return this.#connection.many(
      GROUP,
      `SELECT ${GROUP.columns} FROM user_groups WHERE ${condition} ORDER BY id`,
      params,
    );
  }

  async #load(groupCondition: string, memberCondition: string, params: SqlValue[]): Promise<Group[]> {
    const found = await this.#connection.many(
      GROUP,
      `SELECT ${GROUP.columns} FROM user_groups WHERE ${groupCondition} ORDER BY id`,
      params,
    );
    const members = await this.#connection.all<MemberRow>(
      `SELECT 0 AS nested, group_id, user_id AS member_id FROM group_members WHERE ${memberCondition}
       UNION ALL
       SELECT 1 AS nested, group_id, subgroup_id AS member_id FROM group_subgroups WHERE ${memberCondition}
       ORDER BY group_id, member_id`,
      [...params, ...params],
    );
    const groups = new Map<number, Group>();
    for (const group of found) groups.set(group.id, { ...group, members: [], direct_subgroup_ids: [] });
    for (const { nested, group_id, member_id } of members) {
      const group = groups.get(group_id);
      (nested === 1 ? group?.direct_subgroup_ids : group?.members)?.push(member_id);
    }
    return [...groups.values()];
  }
}
