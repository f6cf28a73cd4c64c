import type { Session } from '../lib/index.ts';
import { groupNames, namesAndAddresses } from './lookups.ts';

/** The value of a permission that is not a single group. */
interface Holders {
  direct_members: number[];
  direct_subgroups: number[];
}

type Values = Readonly<Record<string, unknown>>;

/** Replaces the IDs in permission settings by the names of groups and users. */
export async function withHolderNames(session: Session, values: Values): Promise<Record<string, unknown>> {
  const permissions = Object.entries(values).filter(([key, value]) => isHolders(value) || isGroup(key, value));
  if (permissions.length === 0) return { ...values };
  const people = permissions.flatMap(([, value]) => (isHolders(value) ? value.direct_members : []));
  const [groupName, personName] = await Promise.all([groupNames(session), namesAndAddresses(session, people)]);
  const names = permissions.map(([key, value]) => [
    key,
    isHolders(value)
      ? [...value.direct_members.map(personName), ...value.direct_subgroups.map(groupName)].join(', ') || 'nobody'
      : groupName(value as number),
  ]);
  return { ...values, ...Object.fromEntries(names) };
}

/** `can_create_groups`, `direct_message_permission_group`. */
const isGroup = (key: string, value: unknown) => typeof value === 'number' && /^can_|_group$/.test(key);

function isHolders(value: unknown): value is Holders {
  return typeof value === 'object' && value !== null && 'direct_members' in value;
}
