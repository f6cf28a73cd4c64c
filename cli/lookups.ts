import type { Session } from '../lib/index.ts';
import { present } from '../lib/internal.ts';
import { machineZone } from './arguments/durations.ts';
import { Failure } from './failure.ts';
import { isNear, kebab } from './names.ts';
import { channelPlace, type Message } from './output/conversation.ts';
import { oneLine } from './output/text.ts';

export type LookupKind = keyof typeof KINDS;

/** Finds IDs by name. Fetches each list at most once. */
export type Lookups = ReturnType<typeof lookupsIn>;

export type Row = Readonly<Record<string, unknown>>;

interface Source {
  /** The group of its operation `list`. */
  group: string;
  /** The list in the response. */
  key: string;
  /** The default is `id`. */
  id?: string;
  /** Fields that name a record. The default is `name`. */
  names?: string[];
  /** For the error. The default is the kind and `named`. */
  label?: string;
  /** Parameters of the list operation, to include archived or deactivated records. */
  params?: object;
  /** Names need not be unique. A name that several records share is refused. */
  sharesNames?: boolean;
  /** Short names, used unless another record has the same name. */
  shortNames?(row: Row): string[];
}

const KINDS = {
  channel: {
    group: 'channels',
    key: 'streams',
    id: 'stream_id',
    params: { exclude_archived: false, include_all: true, include_external_ids: true },
  },
  user: {
    group: 'users',
    key: 'members',
    id: 'user_id',
    names: ['delivery_email', 'email'],
    params: { include_external_ids: true },
    label: 'account with the address or ID',
  },
  group: {
    group: 'userGroups',
    key: 'user_groups',
    params: { include_deactivated_groups: true, include_external_ids: true },
    // `moderators` for `role:moderators`.
    shortNames: ({ name, is_system_group }) => (is_system_group === true ? [String(name).replace(/^role:/, '')] : []),
    label: 'user group named',
  },
  'profile field': { group: 'profileFields', key: 'custom_fields' },
  linkifier: { group: 'linkifiers', key: 'linkifiers', names: ['pattern'], label: 'linkifier with the pattern' },
  playground: { group: 'playgrounds', key: 'realm_playgrounds', sharesNames: true },
  draft: { group: 'drafts', key: 'drafts', names: [], label: 'draft with the ID' },
  snippet: {
    group: 'savedSnippets',
    key: 'saved_snippets',
    names: ['title'],
    sharesNames: true,
    label: 'saved snippet named',
  },
  invitation: { group: 'invites', key: 'invites', names: ['email'], label: 'pending invitation to' },
  'invitation link': { group: 'invites', key: 'invites', names: ['link_url'], label: 'invitation link' },
  folder: {
    group: 'channelFolders',
    key: 'channel_folders',
    params: { include_archived: true },
    label: 'channel folder named',
  },
} satisfies Record<string, Source>;

const SOURCES: Record<LookupKind, Source> = KINDS;

const hintFor = (kind: LookupKind) =>
  `\`chatctl ${kebab(SOURCES[kind].group)} list\` shows them.${kind === 'channel' ? ' Add --no-exclude-archived to include archived channels.' : ''}`;

export function lookupsIn(session: Session) {
  const tables = new Map<LookupKind, ReturnType<typeof fetchTable>>();
  const tableOf = (kind: LookupKind) => {
    const table = tables.get(kind) ?? fetchTable(session, SOURCES[kind]);
    tables.set(kind, table);
    return table;
  };
  const find = async (kind: LookupKind, text: string): Promise<Row | undefined> => {
    const { ids, names, externals, shared } = await tableOf(kind);
    if (shared.has(fold(text))) throw new Failure(`The name "${text}" is not unique.`, `Use the ID: ${hintFor(kind)}`);
    const byId = /^[0-9]+$/.test(text) ? ids.get(Number(text)) : undefined;
    return byId ?? names.get(fold(text)) ?? externals.get(text);
  };
  /** The record with this name or ID. */
  const row = async (kind: LookupKind, text: string, advice = hintFor(kind)): Promise<Row> => {
    const found = await find(kind, text);
    if (found) return found;
    const { label = `${kind} named` } = SOURCES[kind];
    const near = [...(await tableOf(kind)).names.keys()].find((name) => areNear(fold(text), name));
    const question = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw new Failure(`There is no ${label} "${text}".${question}`, advice);
  };
  return {
    find,
    row,
    timeZone: () => timeZoneOf(session),
    async id(kind: LookupKind, text: string): Promise<number> {
      if (/^-?[0-9]+$/.test(text)) {
        const given = Number(text);
        if (!MAY_BE_NUMBERS.includes(kind)) return given;
        const { ids, names } = (await ifReadable(tableOf(kind))) ?? {};
        return ids?.has(given) ? given : (idIn(kind, names?.get(fold(text)) ?? {}) ?? given);
      }
      return present(idIn(kind, await row(kind, text)));
    },
  };
}

const idIn = (kind: LookupKind, row: Row) => row[SOURCES[kind].id ?? 'id'] as number | undefined;

/** Names of these may be numbers. A number is first looked up as an ID, then as a name. */
const MAY_BE_NUMBERS: readonly LookupKind[] = ['channel', 'group', 'folder'];

async function rowsIn(session: Session, { group, key }: Source, params?: object): Promise<Row[]> {
  const groups = session as unknown as Record<string, { list(params?: object): Promise<Record<string, Row[]>> }>;
  return (await groups[group]?.list(params))?.[key] ?? [];
}

/** The names of active records, each with its description. */
export async function namesOfKind(session: Session, kind: LookupKind): Promise<{ value: string; about: string }[]> {
  const { names = ['name'], params } = SOURCES[kind];
  const isPast = ({ is_active, is_archived, deactivated }: Row) => is_active === false || is_archived || deactivated;
  const rows = (await rowsIn(session, SOURCES[kind], params)).filter((row) => !isPast(row));
  return rows.flatMap((row) => {
    const value = names.map((field) => row[field]).find((name) => typeof name === 'string');
    return value === undefined ? [] : { value, about: String(row.description ?? row.full_name ?? '') };
  });
}

async function fetchTable(session: Session, source: Source) {
  const { id = 'id', names: fields = ['name'], sharesNames, shortNames } = source;
  const rows = await rowsIn(session, source, source.params);
  const names = new Map<string, Row>();
  const shared = new Set<string>();
  for (const row of rows) for (const name of shortNames?.(row) ?? []) names.set(fold(name), row);
  // If an archived and an active record share a name, the active record wins.
  const inOrder = [...rows].sort((a, b) => Number(b.is_archived ?? 0) - Number(a.is_archived ?? 0));
  for (const row of inOrder) {
    for (const name of fields.flatMap((field) => (typeof row[field] === 'string' ? fold(row[field]) : []))) {
      if (sharesNames && names.has(name)) shared.add(name);
      names.set(name, row);
    }
  }
  const mirrored = rows.filter(({ external_id }) => external_id !== undefined);
  const externals = new Map(mirrored.map((row) => [`external:${row.external_id}`, row]));
  return { ids: new Map(rows.map((row) => [row[id] as number, row])), names, externals, shared };
}

export const fold = (name: string) => name.trim().normalize('NFC').toLowerCase();
/** Addresses at one domain look alike, so their local parts must be near too. */
const areNear = (typed: string, name: string) =>
  isNear(typed, name) && isNear(typed.replace(/@.*/, ''), name.replace(/@.*/, ''));

/** The time zone of the account, or of this machine if it has none. */
export const timeZoneOf = async (session: Session): Promise<string> =>
  (await ifReadable(session.users.me()))?.timezone || machineZone();

/** For data that is only printed: a failed read must not make the command fail. */
export const ifReadable = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined);

/** The message with its Markdown. Undefined if the account may not read it. */
export async function findMessage(session: Session, id: unknown): Promise<Message | undefined> {
  const answer = await ifReadable(session.messages.get({ message_id: Number(id), apply_markdown: false }));
  return answer?.message;
}

export async function findScheduledMessage(session: Session, id: unknown) {
  const answer = await ifReadable(session.scheduledMessages.list());
  return answer?.scheduled_messages.find(({ scheduled_message_id }) => scheduled_message_id === id);
}

type Names = (session: Session, ids?: readonly number[], values?: Row) => Promise<(id: number) => string>;

/** Gives the name of each record by ID, or `group 12` if the account may not read it. */
function namesOf(kind: LookupKind, nameIn = (row: Row): unknown => row.name, label: string = kind): Names {
  return async (session, ids) => {
    const params = kind === 'user' ? { user_ids: ids && [...new Set(ids)] } : SOURCES[kind].params;
    const rows = ids?.length === 0 ? [] : await ifReadable(rowsIn(session, SOURCES[kind], params));
    const names = new Map(rows?.map((row) => [idIn(kind, row), String(nameIn(row))]));
    return (id) => oneLine(names.get(id) ?? `${label} ${id}`);
  };
}

const quotedName = ({ name }: Row) => `"${name}"`;

export const userNames = namesOf('user', (row) => row.full_name, 'account');
/** `Ben Ngo <ben@example.com>`, or the ID if the address is hidden: the API address is made up then. */
export const accountNames = namesOf(
  'user',
  ({ full_name, delivery_email, email, user_id }) =>
    delivery_email === null ? `${full_name} (ID ${user_id})` : `${full_name} <${delivery_email ?? email}>`,
  'account',
);
export const groupNames = namesOf('group');
export const channelNames = namesOf('channel');
export const fieldNames = namesOf('profile field', quotedName, 'field');

/** The names that stand for an ID in a sentence, by kind. */
export const NAMES: Readonly<Record<string, Names>> = {
  user: accountNames,
  group: groupNames,
  channel: namesOf('channel', quotedName),
  field: fieldNames,
  folder: namesOf('folder', quotedName),
  place: async (session, [id = 0] = [], { topic_name } = {}) => {
    const place = channelPlace(await channelName(session, id), String(topic_name));
    return () => `"${place}"`;
  },
};

export const userName = async (session: Session, id: number) => (await userNames(session, [id]))(id);
export const accountName = async (session: Session, id: number) => (await accountNames(session, [id]))(id);
export const groupName = async (session: Session, id: number) => (await groupNames(session))(id);
export const channelName = async (session: Session, id: number) => (await channelNames(session, [id]))(id);

type Holders = { direct_members: number[]; direct_subgroups: number[] };

/** Replaces the IDs in permission settings by the names of groups and users. */
export async function withHolderNames(session: Session, values: Row): Promise<Record<string, unknown>> {
  const permissions = Object.entries(values).filter(([key, value]) => isHolders(value) || isGroup(key, value));
  if (permissions.length === 0) return { ...values };
  const people = permissions.flatMap(([, value]) => (isHolders(value) ? value.direct_members : []));
  const [groupName, personName] = await Promise.all([groupNames(session), accountNames(session, people)]);
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

const isHolders = (value: unknown): value is Holders =>
  typeof value === 'object' && value !== null && 'direct_members' in value;
