/** An export of another chat, from `slackExport`, `zulipExport`, `mattermostExport` or `parlanceExport`. */
export interface ImportSource {
  /**
   * @throws BadExport for a damaged or unsafe export
   * @internal
   */
  open(report: SourceReport): Promise<OpenExport>;
}

/** An export that an import reads once, from its beginning. */
export interface OpenExport {
  /**
   * All records: users, groups, channels and emoji before messages, and messages in the order of their times.
   * @throws BadExport for a damaged or unsafe export
   */
  records(): AsyncIterable<ImportRecord>;
  /** Called at the end. Until then, the content of files must be readable. */
  close(): Promise<void> | void;
}

/** What a source reports besides its records. */
export interface SourceReport {
  /** Counts a record that the chat cannot store. `what` is a noun phrase, such as "huddles". */
  lose(what: string, count?: number): void;
  /** Reports an invalid row. `at` is its place in the export. */
  reject(at: string, reason: string): void;
}

/** Keys are IDs of the other chat, such as `slack/U024BE7LH`. Each export of the same chat has the same keys. */
type Key = string;

export type ImportRecord = ImportedUser | ImportedGroup | ImportedChannel | ImportedEmoji | ImportedMessage;

export interface ImportedUser {
  type: 'user';
  key: Key;
  /** Display name. Any text. */
  name: string;
  email?: string | undefined;
  role: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';
  isActive: boolean;
  isBot: boolean;
  timezone?: string | undefined;
  joinedMs?: number | undefined;
}

export interface ImportedGroup {
  type: 'group';
  key: Key;
  name: string;
  description: string;
  /** Keys of users. */
  members: readonly Key[];
}

export interface ImportedChannel {
  type: 'channel';
  key: Key;
  name: string;
  description: string;
  isPrivate: boolean;
  isArchived: boolean;
  createdMs?: number | undefined;
  creator?: Key | undefined;
  members: readonly Key[];
}

export interface ImportedEmoji {
  type: 'emoji';
  key: Key;
  name: string;
  image: Content;
}

export interface ImportedMessage {
  type: 'message';
  key: Key;
  /** Place in the export, if the message is rejected. */
  at: string;
  author: Key;
  /** An author who is not among the users. */
  missingAuthor?: MissingAuthor | undefined;
  /**
   * A channel, with a topic, a thread or neither. A thread becomes a topic, named by the first words of `title`. Or the
   * participants of a direct conversation.
   */
  to: { channel: Key; topic?: string; thread?: { key: Key; title: string } } | { users: readonly Key[] };
  timeMs: number;
  editedMs?: number | undefined;
  /** Markdown, with references. */
  content: string;
  reactions: readonly { user: Key; name: string }[];
  /** Users who have starred or pinned it. */
  starredBy: readonly Key[];
  /** The files that the content refers to. */
  files: readonly ImportedFile[];
}

export interface MissingAuthor {
  name: string;
  isBot: boolean;
}

export interface ImportedFile {
  key: Key;
  name: string;
  mediaType?: string | undefined;
  /** Where it can be downloaded. */
  url?: string | undefined;
  /** Its bytes, if the export contains them. */
  content?: Content | undefined;
}

export type Content = () => AsyncIterable<Uint8Array>;

/** The export is damaged, in another format, or not safe to read. */
export class BadExport extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadExport';
  }
}

type ReferenceKind = 'user' | 'group' | 'channel' | 'message' | 'file';

/** Enclose references in content. For private use in Unicode. */
const MARK = '\ue001';
const BETWEEN = '\ue002';
const REFERENCE = /\ue001(\w+)\ue002([^\ue001\ue002]*)\ue002([^\ue001\ue002]*)\ue001/g;

/**
 * A reference in content, which the importer replaces: users, groups and channels by mentions, messages and files by
 * their addresses.
 * @param otherwise text if there is no such record
 */
export const reference = (kind: ReferenceKind, key: Key, otherwise: string): string =>
  `${MARK}${kind}${BETWEEN}${withoutMarks(key)}${BETWEEN}${withoutMarks(otherwise)}${MARK}`;

/** Call it for texts of the export: they must not contain references. */
export const withoutMarks = (text: string): string => text.replace(/[\ue001\ue002]/g, '');

export interface Reference {
  kind: ReferenceKind;
  key: Key;
  otherwise: string;
}

export const referencesIn = (content: string): Reference[] =>
  [...content.matchAll(REFERENCE)].map(([, kind, key = '', otherwise = '']) => ({
    kind: kind as ReferenceKind,
    key,
    otherwise,
  }));

export const replaceReferences = (content: string, textOf: (reference: Reference) => string): string =>
  content.replace(REFERENCE, (_, kind: ReferenceKind, key: string, otherwise: string) =>
    textOf({ kind, key, otherwise }),
  );

/** The plain text of a content, for the name of a topic. */
export const withoutFormatting = (content: string): string =>
  replaceReferences(content, ({ otherwise }) => otherwise)
    .replace(/<time:(\d{4}-\d\d-\d\d)[^>]*>/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/```|[*_~`]|^[>#\s]+/gm, '')
    .trim();
