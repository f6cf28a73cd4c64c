import * as v from 'valibot';
import { isRecord } from '../base/keys.ts';
import { present } from '../base/present.ts';
import { AS_TEXT } from '../domains/messages/incoming-webhooks/mrkdwn.ts';
import { slackContent } from '../domains/messages/incoming-webhooks/slack.ts';
import { type JsonLines, type Line, MessageIndex } from './json-lines.ts';
import { type ContentAt, openExport } from './mattermost-files.ts';
import { problemOf } from './problems.ts';
import {
  BadExport,
  type ImportedChannel,
  type ImportedFile,
  type ImportedMessage,
  type ImportedUser,
  type ImportRecord,
  type ImportSource,
  reference,
  type SourceReport,
  withoutFormatting,
} from './source.ts';

/** Number of parsed lines to keep in memory: replies often follow each other. */
const KEPT_LINES = 200;
/** A message itself, not a reply to it. */
const ROOT = -1;

const text = v.nullish(v.string());
const number = v.nullish(v.number());

const team = v.object({ name: v.string(), display_name: text });
const channel = v.object({
  team: v.string(),
  name: v.string(),
  display_name: text,
  type: text,
  header: text,
  purpose: text,
  deleted_at: number,
});
const user = v.object({
  username: v.string(),
  email: text,
  nickname: text,
  first_name: text,
  last_name: text,
  roles: text,
  delete_at: number,
  teams: v.nullish(
    v.array(v.object({ name: v.string(), channels: v.nullish(v.array(v.object({ name: v.string() }))) })),
  ),
});
const bot = v.object({ username: v.string(), display_name: text, delete_at: number });
const emoji = v.object({ name: v.string(), image: v.string() });

const messageFields = {
  user: v.string(),
  message: text,
  create_at: v.number(),
  edit_at: number,
  type: text,
  props: v.nullish(v.unknown()),
  flagged_by: v.nullish(v.array(v.string())),
  is_pinned: v.nullish(v.boolean()),
  reactions: v.nullish(v.array(v.object({ user: v.string(), emoji_name: v.string() }))),
  attachments: v.nullish(v.array(v.object({ path: text }))),
};
const reply = v.object(messageFields);
const replies = v.nullish(v.array(v.unknown()));
const post = v.object({ ...messageFields, team: v.string(), channel: v.string(), replies });
const directPost = v.object({ ...messageFields, channel_members: v.array(v.string()), replies });

type Channel = v.InferOutput<typeof channel>;
type Message = v.InferOutput<typeof reply>;
type Post = v.InferOutput<typeof post> | v.InferOutput<typeof directPost>;

/** Exports of old versions have no list of bots. */
function isOfBot({ props }: Message): boolean {
  return isRecord(props) && (props.from_bot === 'true' || props.from_webhook === 'true');
}

const keyOf = (...parts: (string | number)[]) => `mattermost/${parts.join('/')}`;

/**
 * A bulk export of Mattermost: the JSON Lines file, or the ZIP file with the list and its attachments.
 * @param path of the file
 */
export function mattermostExport(path: string): ImportSource {
  return {
    async open(report) {
      const { lines, contentAt, close } = await openExport(path);
      return { records: () => new MattermostExport(lines, contentAt, report).records(), close };
    },
  };
}

class MattermostExport {
  readonly #teams = new Map<string, string>();
  readonly #channels: Channel[] = [];
  readonly #users = new Map<string, ImportedUser>();
  /** Usernames, by the key of the channel. */
  readonly #members = new Map<string, string[]>();
  readonly #emoji: v.InferOutput<typeof emoji>[] = [];
  readonly #messages = new MessageIndex();
  readonly #posts = new Map<number, Post>();
  /** Keys of messages of one millisecond. An export gives messages no IDs. */
  readonly #sameTime = new Map<string, number>();
  #time = 0;

  constructor(
    private readonly lines: JsonLines,
    private readonly contentAt: ContentAt,
    private readonly report: SourceReport,
  ) {}

  async *records(): AsyncGenerator<ImportRecord> {
    let hasVersion = false;
    for await (const [row, line] of this.lines.objects(this.report)) {
      if (row.type === 'version') hasVersion = true;
      else if (!hasVersion) throw new BadExport('This is not an export of Mattermost: its first line has no version.');
      this.#note(row, line);
    }
    if (!hasVersion) throw new BadExport('This is not an export of Mattermost: it is empty.');
    yield* this.#users.values();
    for (const each of this.#channels) yield this.#channel(each);
    for (const { name, image } of this.#emoji) {
      const content = this.contentAt(image);
      if (content) yield { type: 'emoji', key: keyOf('emoji', name), name, image: content };
      else this.report.reject(`custom emoji ${name}`, 'The export has no picture of it.');
    }
    for (const [line, replyAt] of this.#messages.inOrder()) {
      const message = await this.#message(line, replyAt);
      if (message) yield message;
    }
  }

  #note(row: Record<string, unknown>, line: Line): void {
    const type = String(row.type);
    const noteIfValid = <S extends v.GenericSchema>(schema: S, note: (found: v.InferOutput<S>) => void): void => {
      const found = this.#checked(schema, row[type], `line ${line.number}`);
      if (found !== undefined) note(found);
    };
    switch (type) {
      case 'team':
        return noteIfValid(team, ({ name, display_name }) => this.#teams.set(name, display_name || name));
      case 'channel':
        return noteIfValid(channel, (found) => this.#channels.push(found));
      case 'user':
        return noteIfValid(user, (found) => this.#addUser(found));
      case 'bot':
        return noteIfValid(bot, ({ username, display_name, delete_at }) =>
          this.#addPerson(username, { name: display_name, isBot: true, isActive: !delete_at }),
        );
      case 'emoji':
        return noteIfValid(emoji, (found) => this.#emoji.push(found));
      case 'post':
        return noteIfValid(post, (found) => this.#notePost(found, line));
      case 'direct_post':
        return noteIfValid(directPost, (found) => this.#notePost(found, line));
    }
  }

  #notePost({ create_at, replies }: Post, line: Line): void {
    this.#messages.add(create_at, line, ROOT);
    for (const [at, each] of (replies ?? []).entries()) {
      const time = isRecord(each) ? each.create_at : undefined;
      this.#messages.add(typeof time === 'number' ? time : create_at, line, at);
    }
  }

  #checked<S extends v.GenericSchema>(schema: S, value: unknown, at: string): v.InferOutput<S> | undefined {
    const parsed = v.safeParse(schema, value);
    if (parsed.success) return parsed.output;
    this.report.reject(at, problemOf(parsed.issues));
    return undefined;
  }

  #addUser({ username, email, nickname, first_name, last_name, roles, delete_at, teams }: v.InferOutput<typeof user>) {
    const words = (roles ?? '').split(' ');
    this.#addPerson(username, {
      name: [first_name, last_name].filter(Boolean).join(' ') || nickname,
      email: email || undefined,
      role: words.includes('system_admin') ? 'administrator' : words.includes('system_guest') ? 'guest' : 'member',
      isActive: !delete_at,
    });
    for (const { name, channels } of teams ?? [])
      for (const one of channels ?? []) {
        const key = keyOf(name, one.name);
        const members = this.#members.get(key);
        if (members) members.push(username);
        else this.#members.set(key, [username]);
      }
  }

  #addPerson(
    username: string,
    given: Partial<Omit<ImportedUser, 'name'>> & { name?: string | null | undefined },
  ): void {
    this.#users.set(username, {
      ...{ type: 'user', key: keyOf(username), role: 'member', isActive: true, isBot: false, ...given },
      name: given.name || username,
    });
  }

  /** Several teams may have a channel of the same name. */
  #channel({ team, name, display_name, type, header, purpose, deleted_at }: Channel): ImportedChannel {
    const shown = display_name || name;
    return {
      type: 'channel',
      key: keyOf(team, name),
      name: this.#teams.size > 1 ? `${this.#teams.get(team) ?? team}: ${shown}` : shown,
      description: [header, purpose].filter(Boolean).join(' · '),
      isPrivate: type !== 'O',
      isArchived: (deleted_at ?? 0) > 0,
      members: (this.#members.get(keyOf(team, name)) ?? []).map((username) => keyOf(username)),
    };
  }

  async #post(line: Line): Promise<Post> {
    const kept = this.#posts.get(line.number);
    if (kept) return kept;
    const row = await this.lines.read(line);
    const found = v.parse(row.type === 'post' ? post : directPost, row[String(row.type)]);
    if (found.replies?.length) this.#posts.set(line.number, found);
    const [oldest] = this.#posts.keys();
    if (oldest !== undefined && this.#posts.size > KEPT_LINES) this.#posts.delete(oldest);
    return found;
  }

  async #message(line: Line, replyAt: number): Promise<ImportedMessage | undefined> {
    const root = await this.#post(line);
    const at = replyAt === ROOT ? `line ${line.number}` : `line ${line.number}, reply ${replyAt + 1}`;
    const given = replyAt === ROOT ? root : this.#checked(reply, root.replies?.[replyAt], at);
    if (!given) return undefined;
    if (given.type?.startsWith('system_')) return this.#lost(`notices of Mattermost (${given.type.slice(0, 40)})`);
    if (given.is_pinned) this.report.lose('pins: the export does not name who pinned a message');
    const files = this.#files(given);
    const content = this.#content(given, root, files);
    if (content === '') return this.#lost('messages without content');
    const place =
      'channel_members' in root ? [...root.channel_members].sort().join('+') : `${root.team}/${root.channel}`;
    const thread = {
      key: keyOf('thread', place, root.create_at, root.user),
      title: withoutFormatting(root.message || content),
    };
    return {
      type: 'message',
      key: this.#messageKey(given, place),
      at,
      author: keyOf(given.user),
      missingAuthor: { name: given.user, isBot: isOfBot(given) },
      to:
        'channel_members' in root
          ? { users: root.channel_members.map((username) => keyOf(username)) }
          : { channel: keyOf(root.team, root.channel), ...(root.replies?.length ? { thread } : {}) },
      timeMs: given.create_at,
      editedMs: given.edit_at || undefined,
      content,
      reactions: (given.reactions ?? []).map(({ user, emoji_name }) => ({ user: keyOf(user), name: emoji_name })),
      starredBy: (given.flagged_by ?? []).map((username) => keyOf(username)),
      files: files.kept,
    };
  }

  #lost(what: string): undefined {
    this.report.lose(what);
  }

  #messageKey({ user, create_at }: Message, place: string): string {
    if (create_at !== this.#time) this.#sameTime.clear();
    this.#time = create_at;
    const key = keyOf('message', place, user, create_at);
    const count = this.#sameTime.get(key) ?? 0;
    this.#sameTime.set(key, count + 1);
    return count === 0 ? key : `${key}/${count}`;
  }

  #files({ attachments }: Message): { kept: ImportedFile[]; lines: string[] } {
    const kept: ImportedFile[] = [];
    const lines: string[] = [];
    for (const { path } of attachments ?? []) {
      if (!path) continue;
      const name = present(path.split('/').at(-1)).replace(/[[\]]/g, ' ');
      const content = this.contentAt(path);
      kept.push({ key: keyOf('file', path), name, content });
      lines.push(
        content ? `[${name}](${reference('file', keyOf('file', path), 'missing')})` : `(missing file: ${name})`,
      );
    }
    return { kept, lines };
  }

  #content(given: Message, root: Post, { lines }: { lines: readonly string[] }): string {
    const own = this.#withReferences(given.message ?? '', 'team' in root ? root.team : undefined);
    const attachments = isRecord(given.props) ? given.props.attachments : undefined;
    const extra = Array.isArray(attachments) ? slackContent({ text: '', attachments }, AS_TEXT) : '';
    const written = given.type === 'me' && own !== '' ? `/me ${own}` : own;
    return [written, extra, ...lines].filter((part) => part.trim() !== '').join('\n');
  }

  /** The Markdown, in which `@ben` and `~town-square` become references, except in code. */
  #withReferences(markdown: string, team: string | undefined): string {
    if (!/[@~]/.test(markdown)) return markdown;
    return markdown
      .split(/(```[\s\S]*?```|`[^`\n]*`)/)
      .map((part, at) => (at % 2 === 1 ? part : this.#mentions(part, team)))
      .join('');
  }

  #mentions(part: string, team: string | undefined): string {
    return part
      .replace(/(?<![\w@./-])@([a-z0-9][a-z0-9._-]{0,63})/gi, (whole, name: string) => {
        // A full stop may end the sentence.
        const found = [name, name.replace(/[._-]+$/, '')].find((each) => this.#users.has(each.toLowerCase()));
        if (found === undefined) return whole;
        return reference('user', keyOf(found.toLowerCase()), `@${found}`) + name.slice(found.length);
      })
      .replace(/(?<![\w~/])~([a-z0-9][a-z0-9_-]{0,63})(?!~)/g, (whole, name: string) =>
        team === undefined ? whole : reference('channel', keyOf(team, name), whole),
      );
  }
}
