import type { Session } from '../lib/index.ts';
import { EXIT, Failure } from './failure.ts';
import type { Message } from './output/conversation.ts';
import { oneLine } from './output/sanitize.ts';

export type LookupKind = 'channel' | 'user' | 'group' | 'folder';

/** Turns the names people use into ids; each list is fetched at most once. */
export interface Lookups {
  id(kind: LookupKind, text: string): Promise<number>;
}

type Row = Record<string, unknown>;
type Source = {
  operation: [string, string];
  key: string;
  id: string;
  names: string[];
  parameters?: object;
  missing(text: string): string;
  hint: string;
};

const SOURCES: Record<LookupKind, Source> = {
  channel: {
    operation: ['channels', 'list'],
    key: 'streams',
    id: 'stream_id',
    names: ['name'],
    missing: (text) => `There is no channel named "${text}".`,
    hint: '`chatctl channels list` shows them.',
  },
  user: {
    operation: ['users', 'list'],
    key: 'members',
    id: 'user_id',
    names: ['delivery_email', 'email'],
    missing: (text) => `There is no account with the address ${text}.`,
    hint: '`chatctl users list` shows them.',
  },
  group: {
    operation: ['userGroups', 'list'],
    key: 'user_groups',
    id: 'id',
    names: ['name'],
    missing: (text) => `There is no user group named "${text}".`,
    hint: '`chatctl user-groups list` shows them.',
  },
  folder: {
    operation: ['channelFolders', 'list'],
    key: 'channel_folders',
    id: 'id',
    names: ['name'],
    parameters: { include_archived: true },
    missing: (text) => `There is no channel folder named "${text}".`,
    hint: '`chatctl channel-folders list` shows them.',
  },
};

export function lookupsIn(session: Session): Lookups {
  const tables = new Map<LookupKind, Promise<Table>>();
  return {
    async id(kind, text) {
      const isNumber = /^-?[0-9]+$/.test(text);
      if (isNumber && !MAY_BE_NUMBERS.includes(kind)) return Number(text);
      let table = tables.get(kind);
      if (!table) {
        table = fetchTable(session, SOURCES[kind]);
        tables.set(kind, table);
      }
      if (isNumber) {
        const { ids, names } = await table.catch(() => NOTHING);
        return ids.has(Number(text)) ? Number(text) : (names.get(fold(text)) ?? Number(text));
      }
      const id = (await table).names.get(fold(text));
      if (id === undefined) throw new Failure(SOURCES[kind].missing(text), EXIT.refused, SOURCES[kind].hint);
      return id;
    },
  };
}

interface Table {
  ids: ReadonlySet<number>;
  names: ReadonlyMap<string, number>;
}

const NOTHING: Table = { ids: new Set(), names: new Map() };

/** What may be called 2024: a number is an ID where there is one, else a name. */
const MAY_BE_NUMBERS: readonly LookupKind[] = ['channel', 'group', 'folder'];

async function fetchTable(session: Session, source: Source): Promise<Table> {
  const [group, action] = source.operation;
  const groups = session as unknown as Record<string, Record<string, (parameters?: object) => Promise<Row>>>;
  const method = groups[group]?.[action];
  const rows = method ? ((await method(source.parameters))[source.key] as Row[]) : [];
  // A name that something archived has given away belongs to what is in use.
  const inOrder = [...rows].sort((one, other) => Number(other.is_archived ?? 0) - Number(one.is_archived ?? 0));
  const names = new Map<string, number>();
  for (const row of inOrder) {
    for (const name of source.names)
      if (typeof row[name] === 'string') names.set(fold(row[name]), row[source.id] as number);
  }
  return { ids: new Set(rows.map((row) => row[source.id] as number)), names };
}

const fold = (name: string) => name.trim().toLowerCase();

/** What is read only for a sentence about it must not turn what is done into a failure. */
export const ifReadable = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined);

/** The message with its Markdown, or nothing where the account may not read it. */
export async function findMessage(session: Session, id: unknown): Promise<Message | undefined> {
  const answer = await ifReadable(session.messages.get({ message_id: Number(id), apply_markdown: false }));
  return answer?.message;
}

/** Names of accounts, and of those one may not know, their numbers. */
export async function userNames(session: Session, ids: readonly number[]): Promise<(id: number) => string> {
  const user_ids = [...new Set(ids)];
  const answer = user_ids.length === 0 ? undefined : await ifReadable(session.users.list({ user_ids }));
  const names = new Map(answer?.members.map(({ user_id, full_name }) => [user_id, oneLine(full_name)]));
  return (id) => names.get(id) ?? `account ${id}`;
}

/** Likewise of channels. */
export async function channelNames(session: Session, ids: readonly number[]): Promise<(id: number) => string> {
  const answer = ids.length === 0 ? undefined : await ifReadable(session.channels.list({ exclude_archived: false }));
  const names = new Map(answer?.streams.map(({ stream_id, name }) => [stream_id, oneLine(name)]));
  return (id) => names.get(id) ?? `channel ${id}`;
}
