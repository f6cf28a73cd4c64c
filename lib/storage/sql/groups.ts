import type { Group, GroupHead } from '../../model/groups.ts';
import type { Role } from '../../model/users.ts';
import { fold } from '../../rules/fold.ts';
import type { GroupStore } from '../interface/groups.ts';
import type { Connection, SqlValue } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { record } from './record.ts';
import { after, findable, ids, keyed, onEach, type Queries, row, rows, run } from './store.ts';

const GROUP = record<GroupHead>({
  id: 'integer',
  external_id: 'text',
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
const SELECT_GROUPS = select('true');
const BY_IDS = select('id IN_IDS(?)');
const BY_NAMES = select('ASCII_LOWER(name) IN_TEXTS(?)');
// Instead of OR, in which not every engine would use the indexes.
const BY_FOLDED_NAMES = select(`id IN (
  SELECT id FROM user_groups WHERE ASCII_LOWER(name) IN_TEXTS(?)
  UNION SELECT id FROM user_groups WHERE octet_length(name) <> length(name))`);
const NAMING = select(`id IN (
  SELECT id FROM user_groups WHERE creator_id IN_IDS(?) UNION SELECT id FROM user_groups WHERE settings <> '{}')`);
type NestingColumn = 'group_id' | 'subgroup_id';

/**
 * A join that looks up rows for each row before it. PostgreSQL expects many rows from the recursion and would read the
 * whole table. The LATERAL subquery with OFFSET 0 makes it use the index.
 */
const lookUp = (engine: Dialect['name'], table: string, condition: string) =>
  engine === 'sqlite'
    ? `CROSS JOIN ${table} ON ${condition}`
    : `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${table.split(' ')[1]}`;

/** A recursion from some groups through nestings. */
const recursion = (engine: Dialect['name'], start: string, next: NestingColumn, known: NestingColumn) => `
  WITH RECURSIVE found(id) AS (
    ${start}
    UNION
    SELECT s.${next} FROM found f ${lookUp(engine, 'group_subgroups s', `s.${known} = f.id`)}
  )`;
const GIVEN = 'SELECT g.id FROM user_groups g WHERE g.id IN_IDS(?)';
const OWN = `SELECT d.group_id FROM group_members d WHERE d.user_id = ? UNION ${GIVEN}`;
const inside = (engine: Dialect['name']) => recursion(engine, GIVEN, 'subgroup_id', 'group_id');
const around = (engine: Dialect['name'], start: string) =>
  `${recursion(engine, start, 'group_id', 'subgroup_id')} SELECT id FROM found ORDER BY id`;
const CONTAINING = onEach((engine) => around(engine, OWN));
const holdersWhere = (engine: Dialect['name'], condition: string) =>
  lookUp(engine, 'users u', `${condition} AND u.is_active = 1 AND u.is_system_bot = 0`);
const HOLDERS = onEach(
  (engine) => `${inside(engine)}
  SELECT u.id, u.role FROM found i
    ${lookUp(engine, 'group_members m', 'm.group_id = i.id')} ${holdersWhere(engine, 'u.id = m.user_id')}
  UNION
  SELECT u.id, u.role FROM users u WHERE u.id IN_IDS(?) AND u.is_active = 1 AND u.is_system_bot = 0
  UNION
  SELECT u.id, u.role FROM found i CROSS JOIN PAIRS(?) AS p ${holdersWhere(engine, 'p.a = i.id AND u.role = p.b')}
  UNION
  SELECT u.id, u.role FROM found i ${holdersWhere(engine, 'u.role = ? AND i.id = ? AND u.joined_ms <= ?')}`,
);

/** The users or subgroups that were not in the group before, or that were in it. */
const changeOf = (table: string, member: string) => ({
  add: (members: string) =>
    ids(`
      INSERT INTO ${table} (group_id, ${member}) SELECT g.id, o.id FROM user_groups g CROSS JOIN ${members} o
      WHERE g.id = ? AND o.id IN_IDS(?) ON CONFLICT DO NOTHING RETURNING ${member} AS id`),
  remove: ids(`DELETE FROM ${table} WHERE group_id = ? AND ${member} IN_IDS(?) RETURNING ${member} AS id`),
});
const members = changeOf('group_members', 'user_id');
const subgroups = changeOf('group_subgroups', 'subgroup_id');
const insert = NEW_GROUP.insert('user_groups');
const named = rows<{ id: number; role: Role }>(`
  SELECT id, role FROM users WHERE id IN_IDS(?) AND is_active = 1 AND is_system_bot = 0 ORDER BY id`);

export const groups: Queries<GroupStore> = {
  heads: GROUP.many(BY_IDS),
  headsWithSettings: GROUP.many(select("settings <> '{}'")),
  headsByExternalIds: keyed(findable, GROUP.many(select('external_id IN_TEXTS(?)'))),
  mirrored: GROUP.many(select('external_id IS NOT NULL')),
  addMembers: members.add('users'),
  removeMembers: members.remove,
  addSubgroups: subgroups.add('user_groups'),
  removeSubgroups: subgroups.remove,
  join: run(`
    INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM user_groups g CROSS JOIN users u
    WHERE g.id IN_IDS(?) AND u.id = ? ON CONFLICT DO NOTHING`),
  directMemberships: rows(
    'SELECT group_id, user_id FROM group_members WHERE user_id IN_IDS(?) ORDER BY group_id, user_id',
  ),
  nestings: rows('SELECT group_id, subgroup_id FROM group_subgroups ORDER BY group_id, subgroup_id'),
  inside: ids(onEach((engine) => `${inside(engine)} SELECT id FROM found ORDER BY id`)),
  around: ids(onEach((engine) => around(engine, GIVEN))),
  count: after(
    row<{ groups: number; memberships: number; nestings: number }>(`
      SELECT (SELECT COUNT(*) FROM user_groups WHERE is_system_group = 0) AS groups,
        (SELECT COUNT(*) FROM group_members) AS memberships, (SELECT COUNT(*) FROM group_subgroups) AS nestings`),
    (found) => found ?? { groups: 0, memberships: 0, nestings: 0 },
  ),
  all: async (connection) => withMembers(connection, await connection.many(GROUP, SELECT_GROUPS), 'true', []),

  async byIds(connection, ids) {
    if (ids.length === 0) return [];
    const list = JSON.stringify(ids);
    return withMembers(connection, await connection.many(GROUP, BY_IDS, [list]), 'group_id IN_IDS(?)', [list, list]);
  },

  async headsByNames(connection, names) {
    if (names.length === 0) return [];
    const wanted = new Set(names.map(fold));
    // Names beyond ASCII are compared here.
    const beyondAscii = [...wanted].some((name) => /[^\0-\x7f]/.test(name));
    const statement = beyondAscii ? BY_FOLDED_NAMES : BY_NAMES;
    const found = await connection.many(GROUP, statement, [JSON.stringify([...wanted])]);
    return found.filter((group) => wanted.has(fold(group.name)));
  },
  headsNaming: async (connection, userIds) => connection.many(GROUP, NAMING, [JSON.stringify(userIds)]),

  async create(connection, group) {
    const id = await insert(connection, group);
    await groups.addMembers(connection, id, group.members);
    await groups.addSubgroups(connection, id, group.direct_subgroup_ids);
    return id;
  },

  update: NEW_GROUP.update('user_groups'),
  containing: async (connection, userId, roleGroupIds) =>
    connection.column(CONTAINING[connection.dialect.name], [userId, JSON.stringify(roleGroupIds)]),

  async holders(connection, { direct_members, direct_subgroups }, { ofRoles, full }) {
    if (direct_subgroups.length === 0) return named(connection, direct_members);
    // In order here: for that, SQLite would go through all accounts.
    const lists = [direct_subgroups, direct_members, ofRoles].map((list) => JSON.stringify(list));
    const found = await connection.all<{ id: number; role: Role }>(HOLDERS[connection.dialect.name], [
      ...lists,
      full.role,
      full.group,
      full.joined_by_ms,
    ]);
    return found.sort((a, b) => a.id - b.id);
  },
};

/** @param condition for the rows of members and of subgroups */
async function withMembers(connection: Connection, heads: readonly GroupHead[], condition: string, params: SqlValue[]) {
  const members = await connection.all<{ nested: number; group_id: number; member_id: number }>(
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
