import { AdoptionRefused } from '../../base/errors.ts';
import { emitEdit } from '../../domains/channels/channels/edit-events.ts';
import { unsubscribe } from '../../domains/channels/subscribing.ts';
import { groupSettingView } from '../../domains/organization/group-setting-value.ts';
import { about, groupUpdated } from '../../domains/user-groups/group.ts';
import { applyMembers, changeSubgroups } from '../../domains/user-groups/memberships.ts';
import type { Channel } from '../../model/channels.ts';
import type { GroupHead, GroupSettingValue } from '../../model/groups.ts';
import type { User } from '../../model/users.ts';
import { settingsAfterAdoption } from '../../rules/adoption.ts';
import { channelPermission } from '../../rules/channels.ts';
import { emailKey, fold } from '../../rules/fold.ts';
import {
  CHANNEL_PERMISSION_NAMES,
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSION_NAMES,
  GROUP_PERMISSIONS,
} from '../../rules/permission-settings.ts';
import { groupPermission, sameGroupSetting } from '../../rules/permissions.ts';
import { isBot } from '../../rules/roles.ts';
import { channelAudience, inactiveUserIds } from '../../viewer/audiences.ts';
import type { AccountContext } from '../../viewer/context.ts';
import type { ChannelRow, GroupRow, PackedUsers } from './lists.ts';
import type { EndedMembership, SyncRun } from './run.ts';
import type { SyncChange } from './types.ts';

/** Who belongs to a channel or group according to the lists. */
export interface ListedMembers {
  /** External IDs of users. */
  users: Set<string>;
  /** External IDs of users by their address. */
  byAddress: Map<string, string>;
  /** External IDs of groups. */
  groups: Set<string>;
}

export const NO_MEMBERS: ListedMembers = { users: new Set(), byAddress: new Map(), groups: new Set() };

/**
 * By external ID: the members that the lists give to channels or groups. Goes through all users, so call it only if
 * there is something to adopt.
 * @param rows the whole list of channels or groups @param adoptable external IDs of those that may be adopted
 */
export function listedMembers(
  field: 'channels' | 'groups',
  rows: readonly (ChannelRow | GroupRow)[],
  { adoptable, users }: { adoptable: ReadonlySet<string>; users: PackedUsers | undefined },
): Map<string, ListedMembers> {
  const listed = new Map<string, ListedMembers>();
  if (adoptable.size === 0) return listed;
  const ids = new Set(rows.map(({ external_id }) => external_id));
  const idsByName = new Map(rows.map(({ external_id, name }) => [fold(name), external_id]));
  const membersIn = (references: readonly string[] = []) =>
    references.flatMap((reference) => {
      const id = ids.has(reference) ? reference : idsByName.get(fold(reference));
      if (id === undefined || !adoptable.has(id)) return [];
      const members = listed.get(id) ?? { users: new Set(), byAddress: new Map(), groups: new Set() };
      listed.set(id, members);
      return [members];
    });
  for (const some of users?.batches() ?? []) {
    for (const { external_id, email, is_active = true, [field]: references } of some) {
      for (const members of is_active ? membersIn(references) : []) {
        members.users.add(external_id);
        if (email !== undefined) members.byAddress.set(emailKey(email), external_id);
      }
    }
  }
  for (const row of field === 'groups' ? rows : [])
    for (const members of 'groups' in row ? membersIn(row.groups) : []) members.groups.add(row.external_id);
  return listed;
}

type Fields = SyncChange['fields'];

/** What an adoption changes, and the memberships that it ends. */
export interface Adoption {
  fields: Fields;
  ended: EndedMembership[];
}

/**
 * Ends subscriptions that the lists do not give, those of bots too, all permissions of its creator and others, and
 * reading without a login.
 * @throws AdoptionRefused
 */
export async function adoptChannel(
  run: SyncRun,
  context: AccountContext,
  channel: Channel,
  listed: ListedMembers,
): Promise<Adoption> {
  const { id, name, invite_only, is_web_public, history_public_to_subscribers, settings } = channel;
  if (run.adopt === 'never') throw refused('channel', name);
  if (invite_only && run.adopt !== 'reset')
    throw new AdoptionRefused(
      `There is a private channel named "${name}", which this list has not created. Use adopt "reset" to take it over with the subscribers of the list, or choose another name.`,
    );
  if (is_web_public && run.adopt !== 'reset')
    throw new AdoptionRefused(
      `There is a web-public channel named "${name}", which this list has not created. Anyone can read it without a login. Use adopt "reset" to take it over as a public channel, or choose another name.`,
    );
  const { tx } = context;
  const leaving = await notListed(context, await tx.subscriptions.allSubscriberIds(id), listed);
  const [active, inactive] = split(leaving);
  await unsubscribe(context, [channel], active);
  await tx.subscriptions.remove(inactive.map((user) => ({ user_id: user.id, channel_id: id })));
  const audience = await channelAudience(context, channel);
  // Clients get the three fields of the kind together.
  const kind = is_web_public ? { invite_only, is_web_public: false, history_public_to_subscribers } : {};
  const changes = { ...kind, settings: settingsAfterAdoption(CHANNEL_PERMISSIONS, settings) };
  const after = { ...channel, ...changes };
  await tx.channels.update(id, changes);
  await emitEdit(context, audience, channel, changes);
  const permissions = CHANNEL_PERMISSION_NAMES.flatMap((key) =>
    changed(key, channelPermission(channel, key), channelPermission(after, key)),
  );
  return {
    fields: [
      ...removed('subscribers', namesOf(leaving)),
      ...(is_web_public ? [{ field: 'is_web_public', from: true, to: false }] : []),
      ...permissions,
    ],
    ended: leaving.map((user) => ['subscriber', id, user.id]),
  };
}

/** As `adoptChannel`, for the members and subgroups of a group. @throws AdoptionRefused */
export async function adoptGroup(
  run: SyncRun,
  context: AccountContext,
  group: GroupHead,
  listed: ListedMembers,
): Promise<Adoption> {
  const { id, name, settings } = group;
  if (run.adopt === 'never') throw refused('group', name);
  const { tx, emit } = context;
  const [{ members, direct_subgroup_ids } = { members: [], direct_subgroup_ids: [] }] = await tx.groups.byIds([id]);
  const leaving = await notListed(context, members, listed);
  const [active, inactive] = split(leaving);
  await applyMembers(context, group, 'remove', active);
  await tx.groups.removeMembers(id, idsOf(inactive));
  const inner = direct_subgroup_ids.length === 0 ? [] : await tx.groups.heads(direct_subgroup_ids);
  const outside = inner.filter(({ external_id }) => external_id === null || !listed.groups.has(external_id));
  if (outside.length > 0) await changeSubgroups(context, group, 'remove', idsOf(outside));
  const after = { ...group, settings: settingsAfterAdoption(GROUP_PERMISSIONS, settings) };
  await tx.groups.update(id, { settings: after.settings });
  const permissions = GROUP_PERMISSION_NAMES.flatMap((key) =>
    changed(key, groupPermission(group, key), groupPermission(after, key)),
  );
  const hidden = await inactiveUserIds(context);
  for (const { field, to } of permissions)
    emit({ scope: 'everyone' }, groupUpdated({ ...about(group), data: { [field]: groupSettingView(to, hidden) } }));
  const names = outside.map((subgroup) => subgroup.name);
  return {
    fields: [...removed('members', namesOf(leaving)), ...removed('subgroups', names), ...permissions],
    ended: [
      ...leaving.map((user): EndedMembership => ['member', id, user.id]),
      ...outside.map((subgroup): EndedMembership => ['subgroup', id, subgroup.id]),
    ],
  };
}

const refused = (kind: 'channel' | 'group', name: string) =>
  new AdoptionRefused(
    `There is a ${kind} named "${name}", which this list has not created. With adopt "never", it stays as it is. Choose another name.`,
  );

/**
 * The accounts among these that do not belong to a listed user. An account that only has the address of a user belongs
 * to this user if the address is verified and this sync adopts it.
 */
async function notListed({ tx }: AccountContext, ids: readonly number[], listed: ListedMembers): Promise<User[]> {
  if (ids.length === 0) return [];
  const accounts = await tx.users.byIds(ids);
  const addressed = accounts.flatMap((account) => {
    const isAdoptable = account.external_id === null && account.is_email_verified && !isBot(account);
    const owner = isAdoptable ? listed.byAddress.get(emailKey(account.delivery_email)) : undefined;
    return owner === undefined ? [] : [{ account, owner }];
  });
  const mirrors = addressed.length === 0 ? [] : await tx.users.mirrorsOf(addressed.map(({ owner }) => owner));
  const taken = new Set(mirrors.map(({ external_id }) => external_id));
  const adopted = new Set(addressed.filter(({ owner }) => !taken.has(owner)).map(({ account }) => account));
  return accounts.filter(
    (account) => !adopted.has(account) && !(account.external_id !== null && listed.users.has(account.external_id)),
  );
}

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);

/** Events name active accounts only. */
const split = (users: readonly User[]): [active: User[], inactive: User[]] => [
  users.filter(({ is_active }) => is_active),
  users.filter(({ is_active }) => !is_active),
];

const namesOf = (users: readonly User[]) => users.map(({ full_name }) => full_name);

const removed = (field: string, names: readonly string[]): Fields =>
  names.map((name) => ({ field, from: name, to: null }));

const changed = <K extends string>(field: K, from: GroupSettingValue, to: GroupSettingValue) =>
  sameGroupSetting(from, to) ? [] : [{ field, from, to }];
