import type { Session } from '../lib/index.ts';
import { machineZone } from './arguments/dates.ts';
import { EXIT, Failure } from './failure.ts';
import { kebab } from './names.ts';
import type { Message } from './output/conversation.ts';
import { oneLine } from './output/sanitize.ts';

export type LookupKind =
  | 'channel'
  | 'user'
  | 'group'
  | 'folder'
  | 'profile field'
  | 'linkifier'
  | 'playground'
  | 'draft'
  | 'snippet'
  | 'invitation'
  | 'invitation link';

/** Finds IDs by name. Fetches each list at most once. */
export interface Lookups {
  id(kind: LookupKind, text: string): Promise<number>;
  /** The record with this name or ID. */
  row(kind: LookupKind, text: string): Promise<Row>;
  /** The time zone of the account, or of this machine if it has none. */
  timeZone(): Promise<string>;
}

export type Row = Readonly<Record<string, unknown>>;
type Source = {
  operation: [string, string];
  key: string;
  id: string;
  names: string[];
  /** The default names the kind. */
  missing?(text: string): string;
  /** Parameters of the list operation, to include archived or deactivated records. */
  params?: object;
  /** Names need not be unique. A name that several records share is refused. */
  sharesNames?: boolean;
  /** Short names, used unless another record has the same name. */
  shortNames?: (row: Row) => string[];
};

const SOURCES: Record<LookupKind, Source> = {
  channel: {
    operation: ['channels', 'list'],
    key: 'streams',
    id: 'stream_id',
    names: ['name'],
    params: { exclude_archived: false },
  },
  user: {
    operation: ['users', 'list'],
    key: 'members',
    id: 'user_id',
    names: ['delivery_email', 'email'],
    missing: (text) =>
      text.includes('@')
        ? `There is no account with the address ${text}.`
        : `"${text}" is not an e-mail address or a user ID.`,
  },
  group: {
    operation: ['userGroups', 'list'],
    key: 'user_groups',
    id: 'id',
    names: ['name'],
    params: { include_deactivated_groups: true },
    // `moderators` for `role:moderators`.
    shortNames: ({ name, is_system_group }) => (is_system_group === true ? [String(name).replace(/^role:/, '')] : []),
    missing: (text) => `There is no user group named "${text}".`,
  },
  'profile field': {
    operation: ['profileFields', 'list'],
    key: 'custom_fields',
    id: 'id',
    names: ['name'],
  },
  linkifier: {
    operation: ['linkifiers', 'list'],
    key: 'linkifiers',
    id: 'id',
    names: ['pattern'],
    missing: (text) => `There is no linkifier with the pattern "${text}".`,
  },
  playground: {
    operation: ['playgrounds', 'list'],
    key: 'realm_playgrounds',
    id: 'id',
    names: ['name'],
    sharesNames: true,
  },
  draft: {
    operation: ['drafts', 'list'],
    key: 'drafts',
    id: 'id',
    names: [],
    missing: (text) => `You have no draft with ID ${text}.`,
  },
  snippet: {
    operation: ['savedSnippets', 'list'],
    key: 'saved_snippets',
    id: 'id',
    names: ['title'],
    sharesNames: true,
    missing: (text) => `You have no saved snippet named "${text}".`,
  },
  invitation: {
    operation: ['invites', 'list'],
    key: 'invites',
    id: 'id',
    names: ['email'],
    missing: (text) => `There is no pending invitation to ${text}.`,
  },
  'invitation link': {
    operation: ['invites', 'list'],
    key: 'invites',
    id: 'id',
    names: ['link_url'],
    missing: (text) => `There is no invitation link ${text}.`,
  },
  folder: {
    operation: ['channelFolders', 'list'],
    key: 'channel_folders',
    id: 'id',
    names: ['name'],
    params: { include_archived: true },
    missing: (text) => `There is no channel folder named "${text}".`,
  },
};

const hintFor = (kind: LookupKind) => `\`chatctl ${kebab(SOURCES[kind].operation[0])} list\` shows them.`;

function missing(kind: LookupKind, text: string): Failure {
  const message = SOURCES[kind].missing?.(text) ?? `There is no ${kind} named "${text}".`;
  return new Failure(message, EXIT.refused, hintFor(kind));
}

export function lookupsIn(session: Session): Lookups {
  const tables = new Map<LookupKind, Promise<Table>>();
  const tableOf = (kind: LookupKind) => {
    let table = tables.get(kind);
    if (!table) {
      table = fetchTable(session, SOURCES[kind]);
      tables.set(kind, table);
    }
    return table;
  };
  const row = async (kind: LookupKind, text: string) => {
    const { ids, names, shared } = await tableOf(kind);
    if (shared.has(fold(text)))
      throw new Failure(`The name "${text}" is not unique.`, EXIT.refused, `Use the ID: ${hintFor(kind)}`);
    const found = names.get(fold(text)) ?? ids.get(Number(text));
    if (found === undefined) throw missing(kind, text);
    return found;
  };
  return {
    row,
    timeZone: () => timeZoneOf(session),
    async id(kind, text) {
      if (/^-?[0-9]+$/.test(text)) {
        const given = Number(text);
        if (!MAY_BE_NUMBERS.includes(kind)) return given;
        const { ids, names } = await tableOf(kind).catch(() => NOTHING);
        return ids.has(given) ? given : ((names.get(fold(text))?.[SOURCES[kind].id] as number | undefined) ?? given);
      }
      return (await row(kind, text))[SOURCES[kind].id] as number;
    },
  };
}

interface Table {
  ids: ReadonlyMap<number, Row>;
  names: ReadonlyMap<string, Row>;
  shared: ReadonlySet<string>;
}

const NOTHING: Table = { ids: new Map(), names: new Map(), shared: new Set() };

/** Names of these may be numbers. A number is first looked up as an ID, then as a name. */
const MAY_BE_NUMBERS: readonly LookupKind[] = ['channel', 'group', 'folder'];

async function fetchTable(session: Session, source: Source): Promise<Table> {
  const [group, action] = source.operation;
  const groups = session as unknown as Record<string, Record<string, (params?: object) => Promise<Row>>>;
  const method = groups[group]?.[action];
  const rows = method ? ((await method(source.params))[source.key] as Row[]) : [];
  const names = new Map<string, Row>();
  const shared = new Set<string>();
  for (const row of rows) for (const name of source.shortNames?.(row) ?? []) names.set(fold(name), row);
  // If an archived and an active record share a name, the active record wins.
  const inOrder = [...rows].sort((one, other) => Number(other.is_archived ?? 0) - Number(one.is_archived ?? 0));
  for (const row of inOrder) {
    for (const field of source.names) {
      const name = row[field];
      if (typeof name !== 'string') continue;
      if (source.sharesNames && names.has(fold(name))) shared.add(fold(name));
      names.set(fold(name), row);
    }
  }
  return { ids: new Map(rows.map((row) => [row[source.id] as number, row])), names, shared };
}

const fold = (name: string) => name.trim().toLowerCase();

export async function timeZoneOf(session: Session): Promise<string> {
  return (await ifReadable(session.users.me()))?.timezone || machineZone();
}

/** For data that is only printed: a failed read must not make the command fail. */
export const ifReadable = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined);

/** The message with its Markdown. Undefined if the account may not read it. */
export async function findMessage(session: Session, id: unknown): Promise<Message | undefined> {
  const answer = await ifReadable(session.messages.get({ message_id: Number(id), apply_markdown: false }));
  return answer?.message;
}

interface Account {
  full_name: string;
  email: string;
  delivery_email: string | null;
}

/** `Ben Ngo <ben@example.com>`. Uses the API address if the real one is hidden. */
const nameAndAddress = ({ full_name, delivery_email, email }: Account) =>
  oneLine(`${full_name} <${delivery_email ?? email}>`);

async function accountsOf(session: Session, ids: readonly number[], inWords: (account: Account) => string) {
  const user_ids = [...new Set(ids)];
  const answer = user_ids.length === 0 ? undefined : await ifReadable(session.users.list({ user_ids }));
  const words = new Map(answer?.members.map((account) => [account.user_id, inWords(account)]));
  return (id: number) => words.get(id) ?? `account ${id}`;
}

/** Names of users. `account 12` if the user is not visible. */
export const userNames = (session: Session, ids: readonly number[]) =>
  accountsOf(session, ids, ({ full_name }) => oneLine(full_name));

/** Names and e-mail addresses of users. */
export const namesAndAddresses = (session: Session, ids: readonly number[]) => accountsOf(session, ids, nameAndAddress);

export async function accountName(session: Session, user_id: number): Promise<string> {
  return (await namesAndAddresses(session, [user_id]))(user_id);
}

/** Names of user groups. `group 12` if the account may not list them. */
export async function groupNames(session: Session): Promise<(id: number) => string> {
  const answer = await ifReadable(session.userGroups.list({ include_deactivated_groups: true }));
  const names = new Map(answer?.user_groups.map(({ id, name }) => [id, oneLine(name)]));
  return (id) => names.get(id) ?? `group ${id}`;
}

/** Names of channels. `channel 12` if the channel is not visible. */
export async function channelNames(session: Session, ids: readonly number[]): Promise<(id: number) => string> {
  const answer = ids.length === 0 ? undefined : await ifReadable(session.channels.list({ exclude_archived: false }));
  const names = new Map(answer?.streams.map(({ stream_id, name }) => [stream_id, oneLine(name)]));
  return (id) => names.get(id) ?? `channel ${id}`;
}
