/** What a dry run found, in sentences. */
import type { DryRun } from '../../chat/consequences.ts';
import type { ChatEvent, OperationName } from '../../chat/session.ts';
import type { Formats } from '../formats.ts';
import type { AdminWords } from './admin-words.ts';

interface Names {
  user(id: number): string;
  /** Undefined for channels that the store does not know. */
  channel(id: number): string | undefined;
  /** Without system groups: those follow from roles. */
  readonly groups: ReadonlyMap<number, string>;
}

interface Context {
  readonly names: Names;
  readonly words: AdminWords;
  readonly formats: Formats;
}

interface Proposal {
  readonly operation: OperationName;
  readonly parameters?: object | undefined;
}

/** The names of more users are not fetched. */
const MAX_NAMED_USERS = 20;

const eventsOf = (run: DryRun): readonly ChatEvent[] => run.events.flatMap(({ event }) => event ?? []);

/** The users whose names the sentences need. */
export function usersIn(run: DryRun): readonly number[] {
  const ids = eventsOf(run).flatMap((event) => {
    if (event.type === 'realm_user') return [event.person.user_id];
    if (event.type === 'user_group' && 'user_ids' in event) return event.user_ids;
    if (event.type === 'subscription' && 'user_ids' in event) return event.user_ids;
    return [];
  });
  return [...new Set(ids)].slice(0, MAX_NAMED_USERS);
}

/** Without what the change itself says. */
export function consequencesOf(run: DryRun, proposal: Proposal, context: Context): readonly string[] {
  const { words } = context;
  const lines = eventsOf(run).flatMap((event) => sentenceOf(event, proposal, context) ?? []);
  const left = run.events_left_out ?? 0;
  const mails = run.side_effects.filter(({ kind }) => /mail|invitation/.test(kind)).length;
  return [
    ...new Set(lines),
    ...channelChanges(run, context),
    ...(mails > 0 ? [words.sendsMail(mails)] : []),
    ...(left > 0 ? [words.moreChanges(left)] : []),
  ];
}

type EventOf<T extends ChatEvent['type']> = Extract<ChatEvent, { type: T }>;

function sentenceOf(event: ChatEvent, proposal: Proposal, context: Context): string | undefined {
  const { words } = context;
  const isGiven = (name: string) => Object.hasOwn(proposal.parameters ?? {}, name);
  switch (event.type) {
    case 'realm_user':
      return userSentence(event, context);
    case 'user_group':
      return proposal.operation.startsWith('userGroups.') ? undefined : groupSentence(event, context);
    case 'stream':
      return event.op === 'delete' && proposal.operation === 'channels.edit' ? words.channelHidden : undefined;
    case 'default_streams':
      if (isGiven('is_default_stream') || proposal.operation.startsWith('defaultChannels.')) return undefined;
      return words.defaultsChange;
    case 'realm':
      if (event.op !== 'update' || isGiven(event.property)) return undefined;
      return event.property === 'emails_restricted_to_domains' ? words.restrictionEnds : undefined;
    case 'message':
      return postSentence(event.message, words);
    default:
      return undefined;
  }
}

const postSentence = ({ type, display_recipient }: EventOf<'message'>['message'], words: AdminWords): string =>
  type === 'private' ? words.postsDirect : words.postsIn(String(display_recipient));

function userSentence(event: EventOf<'realm_user'>, { names, words }: Context): string | undefined {
  if (event.op !== 'update') return undefined;
  const { user_id, role, is_active } = event.person;
  const name = names.user(user_id);
  if (role !== undefined) return words.getsRole(name, words.roleNames[role] ?? `${role}`);
  if (is_active === undefined) return undefined;
  return is_active ? words.isReactivated(name) : words.isDeactivated(name);
}

function groupSentence(event: EventOf<'user_group'>, { names, words, formats }: Context): string | undefined {
  const group = 'group_id' in event ? names.groups.get(event.group_id) : undefined;
  if (group === undefined) return undefined;
  if (event.op === 'add_members') return words.joinsGroup(listed(event.user_ids, names, formats), group);
  if (event.op === 'remove_members') return words.leavesGroup(listed(event.user_ids, names, formats), group);
  return undefined;
}

/** Users who join or leave channels: one sentence for each direction. */
function channelChanges(run: DryRun, { names, words, formats }: Context): string[] {
  const joined = new Set<number>();
  const left = new Set<number>();
  const users = new Set<number>();
  for (const event of eventsOf(run)) {
    if (event.type !== 'subscription' || (event.op !== 'peer_add' && event.op !== 'peer_remove')) continue;
    for (const id of event.stream_ids) (event.op === 'peer_add' ? joined : left).add(id);
    for (const id of event.user_ids) users.add(id);
  }
  const who = () => listed([...users], names, formats);
  const where = (ids: ReadonlySet<number>) => channelList([...ids], names, { words, formats });
  return [
    ...(joined.size > 0 ? [words.joinsChannels(who(), where(joined))] : []),
    ...(left.size > 0 ? [words.leavesChannels(who(), where(left))] : []),
  ];
}

const MAX_LISTED = 5;

function listed(ids: readonly number[], names: Names, formats: Formats): string {
  const shown = ids.slice(0, MAX_LISTED).map((id) => names.user(id));
  const rest = ids.length - shown.length;
  return formats.list(rest > 0 ? [...shown, `+${formats.number(rest)}`] : shown);
}

function channelList(ids: readonly number[], names: Names, { words, formats }: Pick<Context, 'words' | 'formats'>) {
  const known = ids.flatMap((id) => names.channel(id) ?? []).slice(0, MAX_LISTED);
  const rest = ids.length - known.length;
  return formats.list([...known.map((name) => `#${name}`), ...(rest > 0 ? [words.otherChannels(rest)] : [])]);
}
