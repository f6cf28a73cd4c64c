/** Who may do something: a role and above, or a group. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Organization } from '../../client/store/types.ts';
import { useCell } from '../context.ts';
import { useFetched } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import type { Change } from './change.tsx';
import { ChoiceSetting } from './kit.tsx';
import { useLive } from './live.tsx';

export type GroupSetting = Organization['realm_can_create_groups'];

export type PermissionKind = keyof Organization['server_supported_permission_settings'];

export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_system_group: boolean;
  readonly deactivated: boolean;
}

/** All groups, also system groups and deactivated ones. */
export function useGroups() {
  const { store } = useAdmin();
  return useLive(
    async () => (await store.session.userGroups.list({ include_deactivated_groups: true })).user_groups,
    ['user_group'],
  );
}

/** Whether the own account is in the group, or one of those selected. */
export function useIsIn(setting: GroupSetting | undefined): boolean {
  const { store } = useAdmin();
  const me = useCell(store.me);
  const found = useFetched(async () => {
    if (setting === undefined || !me) return false;
    const groups = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
    if (typeof setting === 'object' && setting.direct_members.includes(me.user_id)) return true;
    const isMember = (user_group_id: number) =>
      store.session.userGroups.isMember({ user_group_id, user_id: me.user_id });
    return (await Promise.all(groups.map(isMember))).some(({ is_user_group_member }) => is_user_group_member);
  }, [JSON.stringify(setting), me?.role]);
  return found.value ?? false;
}

/** The values of the permissions that have a text. */
export function permissionsIn(organization: Organization, texts: object) {
  const value = (name: string) => organization[`realm_${name}` as 'realm_can_create_groups'];
  return Object.fromEntries(Object.keys(texts).map((name) => [name, value(name)]));
}

interface PermissionsProps {
  kind: PermissionKind;
  /** What each permission means, by name, in the order of the page. */
  texts: Readonly<Record<string, readonly [label: string, meaning: string]>>;
  values: Readonly<Record<string, GroupSetting | undefined>>;
  groups: readonly Group[];
  refusalOf?(name: string): string | false;
  change(name: string, update: { new: GroupSetting; old: GroupSetting }): Change;
}

export function Permissions({ kind, texts, values, groups, refusalOf, change }: PermissionsProps): JSX.Element {
  return (
    <>
      {Object.entries(texts).map(([name, [label, meaning]]) => {
        const value = values[name];
        if (value === undefined) return null;
        return (
          <Permission
            key={name}
            {...{ kind, name, label, meaning, value, groups }}
            refusal={refusalOf?.(name)}
            change={(next) => change(name, { new: next, old: value })}
          />
        );
      })}
    </>
  );
}

interface PermissionProps {
  kind: PermissionKind;
  name: string;
  label: string;
  meaning: string;
  value: GroupSetting;
  groups: readonly Group[];
  refusal: string | false | undefined;
  change(value: GroupSetting): Change;
}

/** From fewest to most users. */
const SYSTEM_GROUPS = [
  ...['role:nobody', 'role:owners', 'role:administrators', 'role:moderators', 'role:fullmembers', 'role:members'],
  ...['role:everyone', 'role:internet'],
];

/** The choice that stands for single users and several groups. */
const SELECTION = -1;

function Permission({ kind, name, label, meaning, value, groups, refusal, change }: PermissionProps): JSX.Element {
  const { store, words, formats } = useAdmin();
  const rules = useCell(store.organization)?.server_supported_permission_settings[kind][name];
  const options = useMemo(() => {
    const nameOf = (group: Group) =>
      group.is_system_group ? (words.holders[group.name] ?? group.name) : words.groupHolder(group.name);
    const isAllowed = (group: Group) => {
      if (group.id === value) return true;
      if (!group.is_system_group) return !group.deactivated && rules?.require_system_group === false;
      if (group.name === 'role:internet') return false;
      if (group.name === 'role:nobody' && !rules?.allow_nobody_group) return false;
      if (group.name === 'role:everyone' && !rules?.allow_everyone_group) return false;
      const allowed: readonly string[] = rules?.allowed_system_groups ?? [];
      return allowed.length === 0 || allowed.includes(group.name);
    };
    const shown = groups.filter(isAllowed).sort((a, b) => orderOf(a) - orderOf(b));
    const listed: [number, string][] = shown.map((group) => [group.id, nameOf(group)]);
    if (typeof value === 'number') return listed;
    const parts = groups.filter(({ id }) => value.direct_subgroups.includes(id)).map(nameOf);
    return [[SELECTION, words.ownSelection(formats.list(parts), value.direct_members.length)] as const, ...listed];
  }, [groups, value, rules, words, formats]);
  return (
    <ChoiceSetting
      label={label}
      hint={meaning || undefined}
      value={typeof value === 'number' ? value : SELECTION}
      options={options}
      refusal={refusal}
      change={(choice) => change(choice === SELECTION ? value : choice)}
    />
  );
}

function orderOf({ name, is_system_group }: Group): number {
  return is_system_group ? SYSTEM_GROUPS.indexOf(name) : SYSTEM_GROUPS.length;
}
