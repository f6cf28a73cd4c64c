import * as v from 'valibot';
import { present } from '../base/present.ts';
import { link } from '../domains/messages/incoming-webhooks/format.ts';
import type { SlackReferences } from '../domains/messages/incoming-webhooks/mrkdwn.ts';
import { slackContent } from '../domains/messages/incoming-webhooks/slack.ts';
import { MAX_MESSAGE_LENGTH } from '../rules/names.ts';
import { tooLarge } from './entry-names.ts';
import { problemOf } from './problems.ts';
import {
  BadExport,
  type ImportedFile,
  type ImportedMessage,
  type ImportRecord,
  type ImportSource,
  reference,
  type SourceReport,
  withoutFormatting,
} from './source.ts';
import { ZipArchive } from './zip.ts';

/** Bytes of the messages of one day, which are sorted in memory. */
const MAX_DAY_BYTES = 256 * 1024 * 1024;
const DAY_FILE = /^(.+)\/(\d{4}-\d{2}-\d{2})\.json$/;

const text = v.nullish(v.string());
const flag = v.nullish(v.boolean());
const ids = v.nullish(v.array(v.string()));

const slackUser = v.object({
  id: v.string(),
  name: text,
  real_name: text,
  deleted: flag,
  is_bot: flag,
  is_admin: flag,
  is_owner: flag,
  is_primary_owner: flag,
  is_restricted: flag,
  is_ultra_restricted: flag,
  tz: text,
  profile: v.nullish(v.object({ email: text, real_name: text, display_name: text })),
});

const slackChannel = v.object({
  id: v.string(),
  name: text,
  created: v.nullish(v.number()),
  creator: text,
  is_archived: flag,
  members: ids,
  topic: v.nullish(v.object({ value: text })),
  purpose: v.nullish(v.object({ value: text })),
  pins: v.nullish(v.array(v.object({ id: text, user: text }))),
});

const slackGroup = v.object({ id: v.string(), handle: text, name: text, description: text, users: ids });

const slackFile = v.object({
  id: v.string(),
  name: text,
  title: text,
  mimetype: text,
  mode: text,
  url_private: text,
  url_private_download: text,
});

const slackMessage = v.object({
  ts: v.pipe(v.string(), v.regex(/^\d{1,11}(?:\.\d{1,9})?$/, 'is not a time')),
  type: text,
  subtype: text,
  user: text,
  bot_id: text,
  username: text,
  text: text,
  thread_ts: text,
  is_ephemeral: flag,
  edited: v.nullish(v.object({ ts: text })),
  bot_profile: v.nullish(v.object({ name: text })),
  user_profile: v.nullish(v.object({ real_name: text, display_name: text, name: text })),
  comment: v.nullish(v.object({ user: text, comment: text })),
  reactions: v.nullish(v.array(v.object({ name: v.string(), users: ids }))),
  files: v.nullish(v.array(slackFile)),
  file: v.nullish(slackFile),
});

type SlackUser = v.InferOutput<typeof slackUser>;
type SlackChannel = v.InferOutput<typeof slackChannel>;
type SlackMessage = v.InferOutput<typeof slackMessage>;

/** Messages of people and bots. Those of other kinds are notices of Slack, such as `channel_join`. */
const KEPT_KINDS: ReadonlySet<string> = new Set([
  'bot_message',
  'me_message',
  'file_share',
  'file_comment',
  'file_mention',
  'reply_broadcast',
  'slackbot_response',
  'thread_broadcast',
]);

const keyOf = (id: string) => `slack/${id}`;

/**
 * An export of Slack: a ZIP file with `users.json`, `channels.json` and a file for each day of each channel. Exports of
 * all plans work; `groups.json`, `dms.json` and `mpims.json` are optional.
 * @param path of the ZIP file
 */
export function slackExport(path: string): ImportSource {
  return {
    async open(report) {
      const archive = await ZipArchive.open(path);
      try {
        const slack = new SlackExport(archive, report);
        return { records: () => slack.records(), close: () => archive.close() };
      } catch (error) {
        archive.close();
        throw error;
      }
    },
  };
}

/** Where the messages of a folder go. */
interface Place {
  id: string;
  /** Participants of a direct conversation. */
  users?: readonly string[];
  /** Users who pinned messages, by the time of the message. */
  pins: ReadonlyMap<string, string>;
}

class SlackExport {
  /** Folder of the export in the archive: some people pack the folder, and not its files. */
  readonly #root: string;
  readonly #users = new Map<string, string>();
  /** By the name of their folder. */
  readonly #places = new Map<string, Place>();

  constructor(
    private readonly archive: ZipArchive,
    private readonly report: SourceReport,
  ) {
    const list = [...archive.names].find((name) => /^(?:[^/]+\/)?users\.json$/.test(name));
    if (list === undefined) throw new BadExport('This is not an export of Slack: it has no users.json.');
    this.#root = list.slice(0, -'users.json'.length);
  }

  async *records(): AsyncGenerator<ImportRecord> {
    for await (const user of this.#rows('users.json', slackUser)) yield this.#user(user);
    for await (const { id, handle, name, description, users } of this.#rows('usergroups.json', slackGroup))
      yield {
        type: 'group',
        key: keyOf(id),
        name: handle || name || id,
        description: description ?? '',
        members: (users ?? []).map(keyOf),
      };
    for (const [file, isPrivate] of [['channels.json', false] as const, ['groups.json', true] as const])
      for await (const channel of this.#rows(file, slackChannel)) yield this.#channel(channel, isPrivate);
    for (const file of ['dms.json', 'mpims.json'])
      for await (const { id, name, members, pins } of this.#rows(file, slackChannel))
        this.#addPlace({ id, name, pins, users: members ?? [] });
    yield* this.#messages();
  }

  #user(user: SlackUser): ImportRecord {
    const { id, profile } = user;
    const name = profile?.real_name || user.real_name || profile?.display_name || user.name || id;
    this.#users.set(id, name);
    const isGuest = user.is_restricted || user.is_ultra_restricted;
    const isOwner = user.is_owner || user.is_primary_owner;
    return {
      type: 'user',
      key: keyOf(id),
      name,
      email: profile?.email || undefined,
      role: isOwner ? 'owner' : user.is_admin ? 'administrator' : isGuest ? 'guest' : 'member',
      isActive: !user.deleted,
      isBot: user.is_bot === true || id === 'USLACKBOT',
      timezone: user.tz ?? undefined,
    };
  }

  #channel(channel: SlackChannel, isPrivate: boolean): ImportRecord {
    const { id, name, created, creator, is_archived, members, topic, purpose, pins } = channel;
    this.#addPlace({ id, name, pins });
    const plain = (given: string) => this.#plainText({ text: given });
    return {
      type: 'channel',
      key: keyOf(id),
      name: name || id,
      description: [topic?.value, purpose?.value].flatMap((part) => (part ? [plain(part)] : [])).join(' · '),
      isPrivate,
      isArchived: is_archived ?? false,
      createdMs: created ? created * 1000 : undefined,
      creator: creator ? keyOf(creator) : undefined,
      members: (members ?? []).map(keyOf),
    };
  }

  #addPlace({
    id,
    name,
    pins,
    users,
  }: Pick<SlackChannel, 'id' | 'name' | 'pins'> & { users?: readonly string[] }): void {
    const pinned = (pins ?? []).flatMap(({ id: ts, user }): [string, string][] => (ts && user ? [[ts, user]] : []));
    const place = { id, pins: new Map(pinned), ...(users ? { users } : {}) };
    for (const folder of [id, name]) if (folder) this.#places.set(folder, place);
  }

  /** All channels together, in the order of their times: IDs of messages are in this order. */
  async *#messages(): AsyncGenerator<ImportedMessage> {
    const days = new Map<string, string[]>();
    for (const name of this.archive.names) {
      const [, folder = '', day = ''] = DAY_FILE.exec(name.slice(this.#root.length)) ?? [];
      if (day === '' || !name.startsWith(this.#root) || /(?:^|\/)__MACOSX\//.test(name)) continue;
      if (this.#places.has(folder)) days.set(day, [...(days.get(day) ?? []), folder]);
      else this.report.reject(name, `There is no channel or conversation "${folder}" in the export.`);
    }
    for (const [day, folders] of [...days].sort(([a], [b]) => (a < b ? -1 : 1))) yield* this.#messagesOf(day, folders);
  }

  async *#messagesOf(day: string, folders: readonly string[]): AsyncGenerator<ImportedMessage> {
    const files = folders.map((folder) => ({ folder, name: `${this.#root}${folder}/${day}.json` }));
    const bytes = files.reduce((sum, { name }) => sum + this.archive.size(name), 0);
    if (bytes > MAX_DAY_BYTES) throw tooLarge(`${day}.json`, MAX_DAY_BYTES);
    const found: { time: number; message: ImportedMessage }[] = [];
    for (const { folder, name } of files) {
      const place = present(this.#places.get(folder));
      for (const [at, row] of (await this.#list(name)).entries()) {
        const message = this.#message(row, place, `${name}, message ${at + 1}`);
        if (message) found.push({ time: message.timeMs, message });
      }
    }
    for (const { message } of found.sort((a, b) => a.time - b.time)) yield message;
  }

  /** The rows of a day. A damaged file is reported, and the import goes on. */
  async #list(name: string): Promise<unknown[]> {
    try {
      const rows = await this.archive.json(name);
      if (Array.isArray(rows)) return rows;
      this.report.reject(name, 'The file is not a list.');
    } catch (error) {
      if (!(error instanceof BadExport) || /has more bytes|too large|too many bytes/.test(error.message)) throw error;
      this.report.reject(name, error.message);
    }
    return [];
  }

  #message(row: unknown, place: Place, at: string): ImportedMessage | undefined {
    const parsed = v.safeParse(slackMessage, row);
    if (!parsed.success) {
      this.report.reject(at, problemOf(parsed.issues));
      return undefined;
    }
    const given = parsed.output;
    const kind = given.subtype ?? '';
    if (given.is_ephemeral) return this.#lost('messages that only one user saw');
    if (kind !== '' && !KEPT_KINDS.has(kind)) return this.#lost(`notices of Slack (${kind.slice(0, 40)})`);
    const files = this.#files(given);
    const content = this.#content(row as object, given, files);
    if (content === '') return this.#lost('messages without content');
    const author = this.#author(given);
    const { ts, thread_ts, edited, reactions } = given;
    const timeMs = Math.floor(Number(ts) * 1000);
    const pinnedBy = place.pins.get(ts);
    return {
      type: 'message',
      key: keyOf(`${place.id}/${ts}`),
      at,
      ...author,
      to: place.users
        ? { users: place.users.map(keyOf) }
        : {
            channel: keyOf(place.id),
            ...(thread_ts
              ? { thread: { key: keyOf(`${place.id}/${thread_ts}`), title: this.#plainText(row as object) } }
              : {}),
          },
      timeMs,
      editedMs: edited?.ts ? Math.floor(Number(edited.ts) * 1000) || undefined : undefined,
      content,
      reactions: (reactions ?? []).flatMap(({ name, users }) =>
        (users ?? []).map((user) => ({ user: keyOf(user), name })),
      ),
      starredBy: pinnedBy ? [keyOf(pinnedBy)] : [],
      files: files.kept,
    };
  }

  #lost(what: string): undefined {
    this.report.lose(what);
  }

  #author(given: SlackMessage): Pick<ImportedMessage, 'author' | 'missingAuthor'> {
    const { user, bot_id, username, comment, user_profile, bot_profile } = given;
    const id = user || comment?.user;
    if (id) {
      if (this.#users.has(id)) return { author: keyOf(id) };
      const name = user_profile?.real_name || user_profile?.display_name || user_profile?.name || username;
      const isBot = id === 'USLACKBOT' || Boolean(bot_id);
      return { author: keyOf(id), missingAuthor: { name: name || (isBot ? 'Slackbot' : `Unknown user ${id}`), isBot } };
    }
    const name = bot_profile?.name || username || undefined;
    if (bot_id) return { author: keyOf(bot_id), missingAuthor: { name: name || `Bot ${bot_id}`, isBot: true } };
    if (name) return { author: keyOf(`name/${name}`), missingAuthor: { name, isBot: true } };
    return { author: keyOf('unknown'), missingAuthor: { name: 'Unknown user', isBot: false } };
  }

  #files({ files, file }: SlackMessage): { kept: ImportedFile[]; lines: string[] } {
    const kept: ImportedFile[] = [];
    const lines: string[] = [];
    for (const each of files ?? (file ? [file] : [])) {
      const url = each.url_private_download || each.url_private;
      const name = (each.name || each.title || each.id).replace(/[[\]]/g, ' ');
      if (!url || each.mode === 'tombstone' || each.mode === 'hidden_by_limit') {
        this.report.lose('files that Slack has deleted');
        lines.push(`(deleted file: ${name})`);
        continue;
      }
      const key = keyOf(each.id);
      kept.push({ key, name, url, mediaType: each.mimetype ?? undefined });
      // The address of an export contains a token that opens all files of the team.
      lines.push(`[${name}](${reference('file', key, withoutQuery(url))})`);
    }
    return { kept, lines };
  }

  #content(row: object, given: SlackMessage, { lines }: { lines: readonly string[] }): string {
    const message = { ...row, text: given.comment?.comment ?? given.text ?? '' };
    const isCut = (given.text ?? '').length > MAX_MESSAGE_LENGTH;
    const body = slackContent(message, this.#references) + (isCut ? '\n[message truncated]' : '');
    const written = given.subtype === 'me_message' && body !== '' ? `/me ${body}` : body;
    return [written, ...lines].filter((part) => part.trim() !== '').join('\n');
  }

  /** The text without formatting, with the names of users. */
  #plainText(message: object): string {
    return withoutFormatting(slackContent(message, this.#references));
  }

  readonly #references: SlackReferences = {
    user: (id, label) => reference('user', keyOf(id), `@${label.replace(/^@/, '') || this.#users.get(id) || id}`),
    channel: (id, label) => reference('channel', keyOf(id), `#${label.replace(/^#/, '') || id}`),
    group: (id, label) => reference('group', keyOf(id), `@${label.replace(/^@/, '') || 'group'}`),
    link: (label, url) => {
      // The address of a message: `…/archives/C024BE7LR/p1690000000000100`.
      const [, channel, seconds, fraction] =
        /^https:\/\/[\w.-]+\.slack\.com\/archives\/(\w+)\/p(\d{10})(\d{6})(?:\?|$)/.exec(url) ?? [];
      const plain = link(label, url);
      if (channel === undefined) return plain;
      const shown = label.trim().replace(/[[\]]/g, ' ') || 'message';
      return `[${shown}](${reference('message', keyOf(`${channel}/${seconds}.${fraction}`), url)})`;
    },
  };

  /** The valid rows of a list in the root. Optional, except `users.json`. */
  async *#rows<S extends v.GenericSchema>(file: string, schema: S): AsyncGenerator<v.InferOutput<S>> {
    const name = this.#root + file;
    if (!this.archive.has(name)) return;
    const rows = await this.archive.json(name);
    if (!Array.isArray(rows)) throw new BadExport(`The entry "${name}" is not a list.`);
    for (const [at, row] of rows.entries()) {
      const parsed = v.safeParse(schema, row);
      if (parsed.success) yield parsed.output;
      else this.report.reject(`${name}, row ${at + 1}`, problemOf(parsed.issues));
    }
  }
}

function withoutQuery(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  return address;
}
