import { Readable } from 'node:stream';
import { groupBy } from '../base/lists.ts';
import { PLACEHOLDER_DOMAIN } from '../rules/names.ts';
import { ROLE_NAMES } from '../rules/roles.ts';
import { decoded, readPathId } from '../rules/uploads.ts';
import { ExportFiles } from './export-files.ts';
import {
  BadExport,
  type ImportedMessage,
  type ImportedUser,
  type ImportRecord,
  type ImportSource,
  reference,
  type SourceReport,
  withoutMarks,
} from './source.ts';

type Row = Record<string, unknown>;

const STARRED = 1;
const UPLOAD = /\(\/user_uploads\/([^\s()]+)\)/g;
const MENTION = /@(_?)\*\*([^*|\n]*)\|(\d{1,15})\*\*/g;

/**
 * A folder of `exportChat`, to add to an organization that exists already. `importOrganization` keeps more, but needs an
 * empty database. Compares all digests first.
 * @param path of the folder
 */
export function parlanceExport(path: string): ImportSource {
  return {
    async open(report) {
      const files = await ExportFiles.open(path);
      await files.verify(() => undefined);
      const source = new ParlanceExport(files, report);
      return { records: () => source.records(), close: () => undefined };
    },
  };
}

/** Keeps everything but messages in memory. */
class ParlanceExport {
  readonly #conversations = new Map<unknown, ImportedMessage['to']>();
  #reactions: ReadonlyMap<unknown, readonly Row[]> = new Map();
  #stars: ReadonlyMap<unknown, readonly Row[]> = new Map();
  /** By the key of the file store. */
  readonly #uploads = new Map<string, { row: Row; path: string }>();

  constructor(
    private readonly files: ExportFiles,
    private readonly report: SourceReport,
  ) {}

  async *records(): AsyncGenerator<ImportRecord> {
    for (const row of await this.#all('users')) yield this.#user(row);
    yield* this.#groups();
    yield* this.#channels();
    yield* this.#emoji();
    await this.#prepareMessages();
    for await (const [row, line] of this.files.rows('messages'))
      yield this.#message(row, `messages.jsonl, line ${line}`);
  }

  #key(id: unknown): string {
    return `parlance/${this.files.manifest.organization.uuid}/${id}`;
  }

  async #all(table: string): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const [row] of this.files.rows(table)) rows.push(row);
    return rows;
  }

  async #membersOf(table: string, of: string): Promise<Map<unknown, string[]>> {
    const rows = (await this.#all(table)).filter(({ active }) => active !== false);
    return new Map(
      [...groupBy(rows, (row) => row[of])].map(([id, own]) => [id, own.map((row) => this.#key(row.user_id))]),
    );
  }

  #user(row: Row): ImportedUser {
    const email = textOf(row, 'delivery_email');
    const isOwn = row.is_email_verified === true && !email.endsWith(`@${PLACEHOLDER_DOMAIN}`);
    return {
      type: 'user',
      key: this.#key(row.id),
      name: textOf(row, 'full_name'),
      email: isOwn ? email : undefined,
      role: ([...ROLE_NAMES].find(([, role]) => role === row.role)?.[0] ?? 'member') as ImportedUser['role'],
      isActive: row.is_active === true,
      isBot: row.bot_type !== null,
      timezone: textOf(row, 'timezone'),
      joinedMs: Number(row.joined_ms),
    };
  }

  async *#groups(): AsyncGenerator<ImportRecord> {
    const members = await this.#membersOf('group_members', 'group_id');
    for (const row of await this.#all('user_groups')) {
      if (row.is_system_group === true || row.deactivated === true) continue;
      const [name, description] = [textOf(row, 'name'), textOf(row, 'description')];
      yield { type: 'group', key: this.#key(row.id), name, description, members: members.get(row.id) ?? [] };
    }
  }

  async *#channels(): AsyncGenerator<ImportRecord> {
    const members = await this.#membersOf('subscriptions', 'channel_id');
    for (const row of await this.#all('channels'))
      yield {
        type: 'channel',
        key: this.#key(row.id),
        name: textOf(row, 'name'),
        description: textOf(row, 'description'),
        isPrivate: row.invite_only === true,
        isArchived: row.is_archived === true,
        createdMs: Number(row.created_ms),
        creator: row.creator_id === null ? undefined : this.#key(row.creator_id),
        members: members.get(row.id) ?? [],
      };
  }

  async *#emoji(): AsyncGenerator<ImportRecord> {
    const images = new Map((await this.#all('emoji_images')).map((row) => [row.file_name, String(row.bytes)]));
    for (const row of await this.#all('custom_emoji')) {
      const image = images.get(textOf(row, 'source_url').split('/').at(-1));
      if (row.deactivated === true) this.report.lose('deactivated custom emoji');
      else if (image === undefined) this.report.reject(`custom emoji ${row.name}`, 'The export has no picture of it.');
      else
        yield {
          type: 'emoji',
          key: this.#key(row.id),
          name: textOf(row, 'name'),
          image: () => Readable.from([Buffer.from(image, 'base64')]),
        };
    }
  }

  async #prepareMessages(): Promise<void> {
    const participants = await this.#membersOf('conversation_participants', 'conversation_id');
    for (const { id, channel_id, topic } of await this.#all('conversations'))
      this.#conversations.set(
        id,
        channel_id === null
          ? { users: participants.get(id) ?? [] }
          : { channel: this.#key(channel_id), topic: withoutMarks(String(topic)) },
      );
    this.#reactions = groupBy(await this.#all('reactions'), ({ message_id }) => message_id);
    const starred = (await this.#all('message_flags')).filter(({ bits }) => (Number(bits) & STARRED) !== 0);
    this.#stars = groupBy(starred, ({ message_id }) => message_id);
    const paths = new Map<unknown, string>();
    for await (const { upload_id, path } of this.files.listed()) paths.set(upload_id, path);
    for (const row of await this.#all('uploads')) {
      const path = paths.get(row.id);
      if (path !== undefined) this.#uploads.set(textOf(row, 'file_key'), { row, path });
    }
    this.#lose('earlier versions of messages', 'edits');
    this.#lose('votes in polls and to-do lists', 'submessages');
    this.#lose('drafts, scheduled messages and reminders', 'drafts', 'scheduled_messages', 'reminders');
  }

  #lose(what: string, ...tables: string[]): void {
    const found = this.files.manifest.tables.filter(({ name }) => tables.includes(name));
    const count = found.reduce((sum, { rows }) => sum + rows, 0);
    if (count > 0) this.report.lose(what, count);
  }

  #message(row: Row, at: string): ImportedMessage {
    const to = this.#conversations.get(row.conversation_id);
    if (!to) throw new BadExport(`${at}: there is no conversation ${row.conversation_id}.`);
    const edited = row.last_edit_timestamp;
    return {
      type: 'message',
      key: this.#key(row.id),
      at,
      author: this.#key(row.sender_id),
      to: 'users' in to ? { users: [...new Set([...to.users, this.#key(row.sender_id)])] } : to,
      timeMs: Number(row.timestamp) * 1000,
      editedMs: typeof edited === 'number' ? edited * 1000 : undefined,
      ...this.#content(textOf(row, 'content')),
      reactions: (this.#reactions.get(row.id) ?? []).map(({ user_id, emoji_name }) => ({
        user: this.#key(user_id),
        name: String(emoji_name),
      })),
      starredBy: (this.#stars.get(row.id) ?? []).map(({ user_id }) => this.#key(user_id)),
    };
  }

  #content(given: string): Pick<ImportedMessage, 'content' | 'files'> {
    const files: ImportedMessage['files'][number][] = [];
    const content = given
      .replace(MENTION, (whole, _silent, _name, id: string) => reference('user', this.#key(id), whole))
      .replace(UPLOAD, (whole, address: string) => {
        const upload = this.#uploads.get(readPathId(decoded(address))?.file_key ?? '');
        if (!upload) return whole;
        const { row, path } = upload;
        const key = this.#key(`file/${row.id}`);
        const content = () => this.files.content(path);
        files.push({ key, name: textOf(row, 'name'), mediaType: textOf(row, 'content_type'), content });
        return `(${reference('file', key, `/user_uploads/${address}`)})`;
      });
    return { content, files };
  }
}

function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new BadExport(`A row of the export has no ${column}.`);
  return withoutMarks(value);
}
