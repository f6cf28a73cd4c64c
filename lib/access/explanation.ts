import type { ReadContext } from '../kernel/context.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { Decision } from '../rules/decisions.ts';
import { isDirectMember } from '../rules/membership.ts';
import { isAdministrator, isGuest, roleName, withArticle } from '../rules/roles.ts';
import { isSystemGroupId } from '../rules/system-groups.ts';
import type { Group, GroupSettingValue } from '../storage/interface/groups.ts';
import type { User } from '../storage/interface/users.ts';
import { knownChannels } from './channels.ts';

/** What one rule decided, in the order in which they were asked. */
export interface Step {
  /** What the rule looks at. */
  rule: 'account' | 'access' | 'message' | 'user' | 'role' | 'permission' | 'channel';
  /** Whether it lets the caller on. */
  outcome: 'yes' | 'no';
  /** The reason, a whole sentence. */
  detail: string;
  /** Of a permission: the name of the setting, where the rule says so. */
  setting?: string;
  /** Of a permission: who holds it, by names. */
  value?: string;
  /** Of a permission and of access: the channel or user group; the organization where a permission has none. */
  of?: { kind: 'channel' | 'group'; id: number; name: string };
}

/** Whether somebody may do something, and what decides it. */
export interface Explanation {
  /** Of whom it was asked; `role` in words. */
  user: { user_id: number; full_name: string; role: string; is_bot: boolean };
  /** Name of the operation, such as `channels.archive`. */
  operation: string;
  /** Whether the operation would be done. */
  allowed: boolean;
  /** What the operation refuses with: a code for programs, a sentence for people. Absent where it is allowed. */
  refusal?: { code: ErrorCode | null; msg: string };
  /** Each rule that was asked, in order, a hundred at most. */
  steps: Step[];
}

/** People named of a value at most. */
const MAX_NAMES = 5;

/**
 * What rules have decided about a user, for whoever asks. Administrators are told the truth. People who ask
 * about themselves are told nothing of what they may not know of: what would be the same if it did not exist.
 * @param isRefused whether the operation was refused in the end
 */
export async function explainDecisions(
  context: ReadContext,
  user: User,
  asker: User | undefined,
  decisions: readonly Decision[],
  isRefused: boolean,
): Promise<Step[]> {
  const isOpen = asker === undefined || isAdministrator(asker);
  const told = isOpen ? decisions : await withoutHidden(context, user, decisions, isRefused);
  const names = await namesIn(context, told, isOpen || !isGuest(user));
  return told.map((decision): Step => {
    const { rule, isYes } = decision;
    const head = { rule, outcome: isYes ? 'yes' : 'no' } as const;
    switch (decision.rule) {
      case 'role':
        return { ...head, detail: isYes ? `They are ${AN[decision.role]}.` : `They are not ${AN[decision.role]}.` };
      case 'permission': {
        const { setting, of, value } = decision;
        return {
          ...head,
          detail: reasonFor(context, user, decision, names.groups),
          ...(setting === undefined ? {} : { setting }),
          ...(of === undefined ? {} : { of }),
          value: names.nameOf(value),
        };
      }
      case 'channel':
        return { ...head, detail: decision.detail, ...(decision.of ? { of: decision.of } : {}) };
      default:
        return { ...head, detail: decision.detail };
    }
  });
}

const AN = { owner: 'an owner', administrator: 'an administrator', moderator: 'a moderator' } as const;

/**
 * Where the operation was refused, nothing is left from the first decision on that has to do with something
 * hidden or absent; that there was more to decide would tell which of the two it is.
 */
async function withoutHidden(
  context: ReadContext,
  user: User,
  decisions: readonly Decision[],
  isRefused: boolean,
): Promise<readonly Decision[]> {
  const ids = new Set(decisions.map(channelIdOf).filter((id) => id !== undefined));
  const channels = ids.size > 0 ? await context.tx.channels.byIds([...ids]) : [];
  const { known } = channels.length > 0 ? await knownChannels(context, user, channels) : { known: [] };
  const knownIds = new Set(known.map(({ channel }) => channel.id));
  const isHidden = (decision: Decision) => {
    const id = channelIdOf(decision);
    if (id !== undefined) return !knownIds.has(id);
    return !decision.isYes && ['channel', 'message', 'user'].includes(decision.rule);
  };
  if (!isRefused) return decisions.filter((decision) => !isHidden(decision));
  const at = decisions.findIndex(isHidden);
  return at === -1 ? decisions : decisions.slice(0, at);
}

function channelIdOf(decision: Decision): number | undefined {
  const of = decision.rule === 'channel' || decision.rule === 'permission' ? decision.of : undefined;
  return of?.kind === 'channel' ? of.id : undefined;
}

/** @param maySeePeople whether people, and groups that are no role, are named; else counted */
async function namesIn({ tx }: ReadContext, decisions: readonly Decision[], maySeePeople: boolean) {
  const values = decisions.flatMap((decision) => (decision.rule === 'permission' ? [decision.value] : []));
  const groups = new Map((values.length > 0 ? await tx.groups.all() : []).map((group) => [group.id, group]));
  const people = values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members.slice(0, MAX_NAMES)));
  const users = maySeePeople && people.length > 0 ? await tx.users.byIds([...new Set(people)]) : [];
  const names = new Map(users.map((user) => [user.id, user.full_name]));
  const groupName = (id: number) =>
    maySeePeople || isSystemGroupId(id) ? (groups.get(id)?.name ?? `group ${id}`) : 'a user group';
  const nameOf = (value: GroupSettingValue): string => {
    if (typeof value === 'number') return groupName(value);
    const { direct_members: members, direct_subgroups: subgroups } = value;
    const named = maySeePeople ? members.slice(0, MAX_NAMES).map((id) => names.get(id) ?? `account ${id}`) : [];
    const rest = members.length - named.length;
    const others = rest === 0 ? [] : [`${rest} ${named.length > 0 ? 'more' : rest === 1 ? 'person' : 'people'}`];
    return [...subgroups.map(groupName), ...named, ...others].join(', ') || 'nobody';
  };
  return { groups, nameOf };
}

/** How somebody comes to hold a permission, or why they do not. */
function reasonFor(
  context: ReadContext,
  user: User,
  { isYes, value, guests }: Extract<Decision, { rule: 'permission' }>,
  groups: ReadonlyMap<number, Group>,
): string {
  if (!isYes) {
    if (isGuest(user) && !guests) return 'Guests never hold it, not even as members of its groups.';
    return 'They are neither named in it nor in one of its groups.';
  }
  if (typeof value !== 'number' && value.direct_members.includes(user.id)) return 'They are named in it.';
  for (const id of typeof value === 'number' ? [value] : value.direct_subgroups) {
    const path = pathInto(context, user, id, groups);
    if (!path) continue;
    const [inner] = path;
    const own = path.filter((group) => !group.is_system_group);
    if (own.length === 0) return `They are in ${path.at(-1)?.name}, being ${withArticle(user.role)}.`;
    const by = inner?.is_system_group ? `, by their role of ${roleName(user.role)}` : '';
    const outermostRole = path.filter((group) => group.is_system_group).at(-1);
    const shown = [...(outermostRole ? [outermostRole] : []), ...own].map((group) => group.name);
    return `They are in ${shown.join(' ⊂ ')}${by}.`;
  }
  return 'They are in one of its groups.';
}

/** From the group that the user is directly in to this one; undefined where they are not in it. */
function pathInto(
  { organization, now }: ReadContext,
  user: User,
  id: number,
  groups: ReadonlyMap<number, Group>,
): Group[] | undefined {
  const outer = new Map<number, Group | undefined>([[id, undefined]]);
  for (const next of outer.keys()) {
    const group = groups.get(next);
    if (!group || group.deactivated) continue;
    if (group.members.includes(user.id) || isDirectMember(next, user, organization, now)) {
      const path: Group[] = [];
      for (let at: Group | undefined = group; at; at = outer.get(at.id)) path.push(at);
      return path;
    }
    for (const inner of group.direct_subgroup_ids) if (!outer.has(inner)) outer.set(inner, group);
  }
  return undefined;
}
