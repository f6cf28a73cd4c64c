import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';
import { EmailAlreadyInUse, ExternalIdInUse, GroupCycle } from '../../base/errors.ts';
import { choice, flag, id, list, record, text } from '../../base/schemas.ts';
import { roomParams } from '../../domains/channels/rooms/room.ts';
import { readParameter } from '../../engine/parameters.ts';
import { emailKey, fold } from '../../rules/fold.ts';
import { ROLE_NAMES, ROLES } from '../../rules/roles.ts';
import type { SyncChannel, SyncGroup, SyncLists, SyncRoom, SyncUser } from './types.ts';

const MAX_REFERENCES = 10_000;

const externalId = v.pipe(text(255), v.minLength(1, 'must not be empty'));
const references = v.optional(list(externalId, MAX_REFERENCES));
const ROLE_MESSAGE = 'must be one of owner, administrator, moderator, member, guest';
const role = v.optional(
  v.pipe(
    v.union([choice(ROLES), v.string()], ROLE_MESSAGE),
    v.transform((given) => (typeof given === 'string' ? ROLE_NAMES.get(fold(given)) : given)),
    v.picklist(ROLES, ROLE_MESSAGE),
  ),
);
const profileValue = v.union([v.string(), list(id)], 'must be a text or a list of user IDs');

const rowOf = <const E extends v.ObjectEntries>(entries: E) =>
  v.strictObject({ external_id: externalId, name: text(), ...entries }, rowMessage);

/** Follows `users[3]`, or `users[3]["name"]` for a field that is missing or unknown. */
function rowMessage({ path, received }: v.StrictObjectIssue): string {
  if (path === undefined) return 'must be an object with external_id and name';
  return received === 'undefined' ? 'is missing' : 'is not a known field';
}

const SCHEMAS = {
  users: rowOf({
    email: v.optional(text()),
    role,
    is_active: v.optional(flag),
    channels: references,
    groups: references,
    profile: v.optional(record(v.string(), profileValue, 'must be an object')),
  }),
  channels: rowOf({ description: v.optional(text()), is_private: v.optional(flag), is_archived: v.optional(flag) }),
  groups: rowOf({ description: v.optional(text()), groups: references, is_active: v.optional(flag) }),
  rooms: rowOf({ members: roomParams.members, staff: roomParams.staff, is_archived: v.optional(flag) }),
};

type Rows = { [K in keyof typeof SCHEMAS]: v.InferOutput<(typeof SCHEMAS)[K]> };
export type UserRow = Rows['users'];
export type ChannelRow = Rows['channels'];
export type GroupRow = Rows['groups'];
export type RoomRow = Rows['rooms'];

/** The lists after all checks that need no database. */
interface CheckedLists {
  channels: ChannelRow[];
  groups: GroupRow[];
  rooms: RoomRow[];
  /** Undefined without a list of users. */
  users: PackedUsers | undefined;
}

/** Users per batch. Batches without changes are only read. */
const BATCH = 1_000;

/** All users, compressed. The list gives them only once, and the sync checks it as a whole before the first change. */
export class PackedUsers {
  readonly externalIds = new Set<string>();
  readonly #emails = new Set<string>();
  readonly #packs: Buffer[] = [];
  #open: UserRow[] = [];

  add(user: UserRow): void {
    this.externalIds.add(user.external_id);
    const key = user.email === undefined ? undefined : emailKey(user.email);
    if (key !== undefined && this.#emails.has(key))
      throw new EmailAlreadyInUse(
        key,
        `The list contains the address "${user.email}" twice. The chat stays as it was.`,
      );
    if (key !== undefined) this.#emails.add(key);
    this.#open.push(user);
    if (this.#open.length === BATCH) this.close();
  }

  close(): void {
    if (this.#open.length > 0) this.#packs.push(deflateRawSync(JSON.stringify(this.#open)));
    this.#open = [];
  }

  *batches(): Generator<UserRow[]> {
    for (const pack of this.#packs) yield JSON.parse(inflateRawSync(pack).toString()) as UserRow[];
  }
}

/**
 * Reads the lists to their end and checks them as a whole.
 * @throws BadRequest, RequestVariableMissing, ExternalIdInUse, EmailAlreadyInUse, GroupCycle
 */
export async function readLists({ users, channels, groups, rooms }: SyncLists): Promise<CheckedLists> {
  const checked: CheckedLists = { channels: [], groups: [], rooms: [], users: users ? new PackedUsers() : undefined };
  for await (const row of rowsOf('channels', channels ?? [])) checked.channels.push(row);
  for await (const row of rowsOf('groups', groups ?? [])) checked.groups.push(row);
  checkNoCycle(checked.groups);
  for await (const row of rowsOf('rooms', rooms ?? [])) checked.rooms.push(row);
  if (users) for await (const row of rowsOf('users', users)) checked.users?.add(row);
  checked.users?.close();
  return checked;
}

type SyncRow = SyncUser | SyncChannel | SyncGroup | SyncRoom;

/** Databases return null for a value that is not given. */
function withoutNulls(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const given = Object.entries(item).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, name === 'profile' ? withoutNulls(value) : value]));
}

async function* rowsOf<K extends keyof Rows>(
  name: K,
  given: Iterable<SyncRow> | AsyncIterable<SyncRow>,
): AsyncGenerator<Rows[K]> {
  const seen = new Set<string>();
  for await (const item of given) {
    const row = readParameter(`${name}[${seen.size}]`, SCHEMAS[name], withoutNulls(item)) as Rows[K];
    if (seen.has(row.external_id)) throw new ExternalIdInUse({ list: name, external_id: row.external_id });
    seen.add(row.external_id);
    yield row;
  }
}

/** Groups of the list that contain each other. Those outside of the list are checked when a group joins them. */
function checkNoCycle(groups: readonly GroupRow[]): void {
  const named = new Map(groups.map((group) => [fold(group.name), group]));
  const known = new Map(groups.map((group) => [group.external_id, group]));
  const outerOf = ({ groups = [] }: GroupRow) =>
    groups.flatMap((reference) => known.get(reference) ?? named.get(fold(reference)) ?? []);
  const done = new Set<GroupRow>();
  const open = new Set<GroupRow>();
  // No recursion: a chain may be longer than the stack.
  for (const first of groups) {
    const path: { group: GroupRow; left: GroupRow[] }[] = [];
    const enter = (group: GroupRow) => {
      if (open.has(group)) throw cycleOf([...open].slice([...open].indexOf(group)));
      if (done.has(group)) return;
      open.add(group);
      path.push({ group, left: outerOf(group) });
    };
    enter(first);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const outer = last.left.shift();
      if (outer) enter(outer);
      else {
        path.pop();
        open.delete(last.group);
        done.add(last.group);
      }
    }
  }
}

const MAX_SHOWN = 10;

function cycleOf(groups: readonly GroupRow[]): GroupCycle {
  const ids = groups.map(({ external_id }) => external_id);
  const shown = ids.slice(0, MAX_SHOWN).map((id) => `"${id}"`);
  return new GroupCycle([...shown, ...(ids.length > MAX_SHOWN ? ['…'] : [])].join(', '), ids);
}
