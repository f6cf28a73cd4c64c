import type { Group, GroupStore } from '../interface/groups.ts';
import type { Connection, SqlValue } from './connection.ts';
import { record } from './record.ts';

type OwnFields = Omit<Group, 'members' | 'direct_subgroup_ids'>;

const GROUP = record<OwnFields>({
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
  INSERT INTO group_members (group_id, user_id) SELECT p.a, p.b FROM PAIRS(?) AS p WHERE true ON CONFLICT DO NOTHING`;
const ADD_SUBGROUPS = `
  INSERT INTO group_subgroups (group_id, subgroup_id) SELECT p.a, p.b FROM PAIRS(?) AS p WHERE true
  ON CONFLICT DO NOTHING`;
const CONTAINING = `
  WITH RECURSIVE mine(id) AS (
    SELECT g.id FROM user_groups g
    WHERE g.deactivated = 0
      AND (g.id IN_IDS(?) OR g.id IN (SELECT d.group_id FROM group_members d WHERE d.user_id = ?))
    UNION
    SELECT g.id FROM mine
    JOIN group_subgroups s ON s.subgroup_id = mine.id
    JOIN user_groups g ON g.id = s.group_id
    WHERE g.deactivated = 0
  ) SELECT id FROM mine ORDER BY id`;

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

  async create(group: Omit<Group, 'id'>): Promise<number> {
    const id = await this.#connection.insert(INSERT, NEW_GROUP.values(group));
    const pairs = (others: readonly number[]) => JSON.stringify(others.map((other) => [id, other]));
    if (group.members.length > 0) await this.#connection.run(ADD_MEMBERS, [pairs(group.members)]);
    if (group.direct_subgroup_ids.length > 0) {
      await this.#connection.run(ADD_SUBGROUPS, [pairs(group.direct_subgroup_ids)]);
    }
    return id;
  }

  async containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]> {
    const rows = await this.#connection.all<{ id: number }>(CONTAINING, [JSON.stringify(roleGroupIds), userId]);
    return rows.map((row) => row.id);
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
