import type { ErrorCode } from '../base/errors.ts';
import type { Group, GroupSettingValue } from '../model/groups.ts';
import type { User } from '../model/users.ts';
import { isDirectMember } from '../rules/permissions.ts';
import { type Decision, isGuest, isSystemGroupId, roleName, withArticle } from '../rules/roles.ts';
import type { ReadContext } from '../viewer/context.ts';
import { viewerOf } from '../viewer/viewer.ts';

/** The decision of one rule. */
export interface Step {
  /** What the rule checks. */
  rule: 'account' | 'access' | 'message' | 'user' | 'role' | 'permission' | 'channel';
  /** Whether the check passed. */
  outcome: 'yes' | 'no';
  /** The reason, as a sentence. */
  detail: string;
  /** For a permission: the name of the setting, if known. */
  setting?: string;
  /** For a permission: the names of the users and groups who have it. */
  value?: string;
  /** For a permission or channel: the channel or user group. Absent for permissions of the organization. */
  of?: { kind: 'channel' | 'group'; id: number; name: string };
}

/** Whether a user can perform an operation, and why. */
export interface Explanation {
  /** The user who would perform the operation; `role` in words. */
  user: { user_id: number; full_name: string; role: string; is_bot: boolean };
  /** Name of the operation, such as `channels.archive`. */
  operation: string;
  /**
   * `allowed`: the operation would succeed. About another user: no rule refuses it.
   * `refused`: see `refusal`.
   * `undecided`: about another user, if the decision depends on data that you cannot see. No rule before it refuses.
   */
  decision: 'allowed' | 'refused' | 'undecided';
  /** Whether the decision is `allowed`. */
  allowed: boolean;
  /** The error of the operation: a code for programs and a message for people. Absent unless it is refused. */
  refusal?: { code: ErrorCode | null; msg: string };
  /** All rules that were checked, in order; at most 100. */
  steps: Step[];
}

/** Names listed per value. */
const MAX_NAMES = 5;

/**
 * The decisions about a user, as the caller may see them. Trusted code sees all. Users who ask about themselves see only
 * what they would also see if hidden objects did not exist. Decisions about others use only what the asker sees.
 * @param options `asker`: undefined for trusted code; `isRefused`: whether the operation was refused
 */
export async function explainDecisions(
  context: ReadContext,
  user: User,
  decisions: readonly Decision[],
  { asker, isRefused }: { asker: User | undefined; isRefused: boolean },
): Promise<Step[]> {
  const isOpen = asker === undefined || asker.id !== user.id;
  const visible = isOpen ? decisions : await withoutHidden(context, user, decisions, { isRefused });
  const names = await namesIn(context, visible, { maySeePeople: isOpen || !isGuest(user) });
  return visible.map((decision): Step => {
    const head = { rule: decision.rule, outcome: decision.isYes ? 'yes' : 'no' } as const;
    if (decision.rule === 'role') {
      return { ...head, detail: `They are ${decision.isYes ? '' : 'not '}${WITH_ARTICLE[decision.role]}.` };
    }
    const of = 'of' in decision && decision.of ? { of: decision.of } : {};
    if (decision.rule !== 'permission') return { ...head, detail: decision.detail, ...of };
    const { setting, value } = decision;
    const named = { ...(setting === undefined ? {} : { setting }), ...of, value: names.nameOf(value) };
    return { ...head, detail: reasonFor(context, user, decision, names.groups), ...named };
  });
}

const WITH_ARTICLE = { owner: 'an owner', administrator: 'an administrator', moderator: 'a moderator' } as const;

/** Removes decisions about hidden objects. After a refusal, later ones would reveal whether the object exists. */
async function withoutHidden(
  context: ReadContext,
  user: User,
  decisions: readonly Decision[],
  { isRefused }: { isRefused: boolean },
) {
  const ids = new Set(decisions.map(channelIdOf).filter((id) => id !== undefined));
  const channels = ids.size > 0 ? await context.tx.channels.byIds([...ids]) : [];
  const { known } = channels.length > 0 ? await viewerOf(context, user).knownChannels(channels) : { known: [] };
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

/** @param maySeePeople whether to name users and non-system groups. Otherwise users are only counted */
async function namesIn(
  { tx }: ReadContext,
  decisions: readonly Decision[],
  { maySeePeople }: { maySeePeople: boolean },
) {
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

function reasonFor(
  context: ReadContext,
  user: User,
  { isYes, value, guests }: Extract<Decision, { rule: 'permission' }>,
  groups: ReadonlyMap<number, Group>,
): string {
  if (!isYes) {
    if (isGuest(user) && !guests) return 'Guests never have this permission, not even as members of its groups.';
    return 'It contains neither them nor one of their groups.';
  }
  if (typeof value !== 'number' && value.direct_members.includes(user.id)) return 'It contains them directly.';
  for (const id of typeof value === 'number' ? [value] : value.direct_subgroups) {
    const path = pathInto(context, user, id, groups);
    if (!path) continue;
    const [inner] = path;
    const own = path.filter((group) => !group.is_system_group);
    if (own.length === 0) return `They are in ${path.at(-1)?.name} because they are ${withArticle(user.role)}.`;
    const by = inner?.is_system_group ? ` because of their role ${roleName(user.role)}` : '';
    const outermostRole = path.filter((group) => group.is_system_group).at(-1);
    const shown = [...(outermostRole ? [outermostRole] : []), ...own].map((group) => group.name);
    return `They are in ${shown.join(' ⊂ ')}${by}.`;
  }
  return 'They are in one of its groups.';
}

/** The path from a group with the user as direct member to this group; undefined if the user is not in it. */
function pathInto({ organization, now }: ReadContext, user: User, id: number, groups: ReadonlyMap<number, Group>) {
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
