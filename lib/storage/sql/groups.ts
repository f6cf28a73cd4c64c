import type { Group, GroupStore } from '../interface/groups.ts';
import type { Connection, SqlValue } from './connection.ts';

const COLUMNS = 'id, name, description, is_system_group, creator_id, created_ms, deactivated, settings';

interface GroupRow {
  id: number;
  name: string;
  description: string;
  is_system_group: number;
  creator_id: number | null;
  created_ms: number | null;
  deactivated: number;
  settings: string;
}

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
    const row = (await this.#connection.get<{ id: number }>(
      `INSERT INTO user_groups (name, description, is_system_group, creator_id, created_ms, deactivated, settings)
       VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      [
        group.name,
        group.description,
        group.is_system_group ? 1 : 0,
        group.creator_id,
        group.created_ms,
        group.deactivated ? 1 : 0,
        JSON.stringify(group.settings),
      ],
    )) as { id: number };
    if (group.members.length > 0) {
      await this.#connection.run(
        `INSERT INTO group_members (group_id, user_id) SELECT p.a, p.b FROM PAIRS(?) AS p WHERE true
         ON CONFLICT DO NOTHING`,
        [JSON.stringify(group.members.map((member) => [row.id, member]))],
      );
    }
    if (group.direct_subgroup_ids.length > 0) {
      await this.#connection.run(
        `INSERT INTO group_subgroups (group_id, subgroup_id) SELECT p.a, p.b FROM PAIRS(?) AS p WHERE true
         ON CONFLICT DO NOTHING`,
        [JSON.stringify(group.direct_subgroup_ids.map((subgroup) => [row.id, subgroup]))],
      );
    }
    return row.id;
  }

  async containing(userId: number, roleGroupIds: readonly number[]): Promise<number[]> {
    const rows = await this.#connection.all<{ id: number }>(
      `WITH RECURSIVE mine(id) AS (
         SELECT g.id FROM user_groups g
         WHERE g.deactivated = 0
           AND (g.id IN_IDS(?) OR g.id IN (SELECT d.group_id FROM group_members d WHERE d.user_id = ?))
         UNION
         SELECT g.id FROM mine
         JOIN group_subgroups s ON s.subgroup_id = mine.id
         JOIN user_groups g ON g.id = s.group_id
         WHERE g.deactivated = 0
       ) SELECT id FROM mine ORDER BY id`,
      [JSON.stringify(roleGroupIds), userId],
    );
    return rows.map((row) => row.id);
  }

  async #load(groupCondition: string, memberCondition: string, params: SqlValue[]): Promise<Group[]> {
    const rows = await this.#connection.all<GroupRow>(
      `SELECT ${COLUMNS} FROM user_groups WHERE ${groupCondition} ORDER BY id`,
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
    for (const row of rows) {
      groups.set(row.id, {
        id: row.id,
        name: row.name,
        description: row.description,
        is_system_group: row.is_system_group === 1,
        creator_id: row.creator_id,
        created_ms: row.created_ms,
        deactivated: row.deactivated === 1,
        settings: JSON.parse(row.settings),
        members: [],
        direct_subgroup_ids: [],
      });
    }
    for (const { nested, group_id, member_id } of members) {
      const group = groups.get(group_id);
      (nested === 1 ? group?.direct_subgroup_ids : group?.members)?.push(member_id);
    }
    return [...groups.values()];
  }
}
