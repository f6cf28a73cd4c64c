import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { groupBy } from '../base/lists.ts';
import { present } from '../base/present.ts';
import { decoded } from '../rules/uploads.ts';
import { checkedEntryName, fileIn, MAX_JSON_BYTES, parsedJson, tooLarge } from './entry-names.ts';
import { problemOf } from './problems.ts';
import {
  BadExport,
  type ImportedMessage,
  type ImportedUser,
  type ImportRecord,
  type ImportSource,
  reference,
  type SourceReport,
} from './source.ts';
import { unpackedTar } from './tar.ts';

const text = v.nullish(v.string());
const number = v.nullish(v.number());
const flag = v.nullish(v.boolean());

const user = v.object({
  id: v.number(),
  email: v.string(),
  delivery_email: text,
  full_name: text,
  is_active: flag,
  is_bot: flag,
  is_mirror_dummy: flag,
  role: number,
  timezone: text,
  date_joined: number,
});
const stream = v.object({
  id: v.number(),
  name: v.string(),
  description: text,
  invite_only: flag,
  deactivated: flag,
  date_created: number,
  creator: number,
});
const group = v.object({
  id: number,
  usergroup_ptr: number,
  name: v.string(),
  description: text,
  is_system_group: flag,
  deactivated: flag,
});
const recipient = v.object({ id: v.number(), type: v.number(), type_id: v.number() });
const subscription = v.object({ recipient: v.number(), user_profile: v.number(), active: flag });
const membership = v.object({ user_group: v.number(), user_profile: v.number() });
const reaction = v.object({ message: v.number(), user_profile: v.number(), emoji_name: v.string() });
const emoji = v.object({ id: v.number(), name: v.string(), file_name: text, deactivated: flag });
const attachment = v.object({ path_id: v.string(), file_name: text, content_type: text });
const message = v.object({
  id: v.number(),
  sender: v.number(),
  recipient: v.number(),
  subject: text,
  content: v.string(),
  date_sent: number,
  /** The name of `date_sent` in old exports. */
  pub_date: number,
  last_edit_time: number,
});
const userMessage = v.object({ message: v.number(), user_profile: v.number(), flags_mask: number });

type Recipient = v.InferOutput<typeof recipient>;
type Message = v.InferOutput<typeof message>;
type Attachment = v.InferOutput<typeof attachment>;
type Row = Readonly<Record<string, unknown>>;

/** Kinds of recipients. */
const PERSONAL = 1;
const STREAM = 2;
const STARRED = 2;
const ROLES = new Map([
  [100, 'owner'],
  [200, 'administrator'],
  [300, 'moderator'],
  [600, 'guest'],
] as const);

/**
 * An export of Zulip, as its server and `manage.py export` write it: `realm.json`, `messages-000001.json` and so on.
 * @param path of the tar.gz file, or of its unpacked folder. Unpacks the file to a temporary folder
 */
export function zulipExport(path: string): ImportSource {
  return {
    async open(report) {
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
      const folder = isFolder ? path : await unpackedTar(path);
      const close = async () => {
        if (!isFolder) await rm(folder, { recursive: true, force: true });
      };
      try {
        const zulip = await ZulipExport.open(folder, report);
        return { records: () => zulip.records(), close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

class ZulipExport {
  readonly #recipients = new Map<number, Recipient>();
  /** Subscribers by recipient. */
  readonly #members: ReadonlyMap<number, readonly number[]>;
  readonly #reactions: ReadonlyMap<number, readonly { user_profile: number; emoji_name: string }[]>;
  readonly #attachments = new Map<string, Attachment>();
  readonly #names = new Map<number, string>();
  readonly #prefix: string;

  private constructor(
    private readonly root: string,
    private readonly realm: Row,
    attachments: Row,
    private readonly report: SourceReport,
  ) {
    const [first] = (realm.zerver_realm ?? []) as Row[];
    const id = first?.uuid ?? first?.string_id;
    if (typeof id !== 'string') throw new BadExport('This is not an export of Zulip: realm.json has no realm.');
    this.#prefix = `zulip/${id}`;
    for (const each of this.#rows(realm, 'zerver_recipient', recipient)) this.#recipients.set(each.id, each);
    const active = this.#rows(realm, 'zerver_subscription', subscription).filter((each) => each.active !== false);
    this.#members = idLists(active.map((each) => [each.recipient, each.user_profile]));
    this.#reactions = groupBy(this.#rows(realm, 'zerver_reaction', reaction), (each) => each.message);
    for (const each of this.#rows(attachments, 'zerver_attachment', attachment))
      this.#attachments.set(each.path_id, each);
  }

  static async open(folder: string, report: SourceReport): Promise<ZulipExport> {
    const inside = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const roots = [folder, ...inside.map(({ name }) => join(folder, name))];
    const root = roots.find((each) => existsSync(join(each, 'realm.json')));
    if (root === undefined) throw new BadExport('This is not an export of Zulip: it has no realm.json.');
    const attachments = existsSync(join(root, 'attachment.json')) ? await json(root, 'attachment.json') : {};
    return new ZulipExport(root, await json(root, 'realm.json'), attachments, report);
  }

  async *records(): AsyncGenerator<ImportRecord> {
    const { realm } = this;
    for (const table of ['zerver_userprofile', 'zerver_userprofile_mirrordummy', 'zerver_userprofile_crossrealm'])
      for (const each of this.#rows(realm, table, user)) yield this.#user(each, table);
    yield* this.#groups();
    const ofStream = new Map(
      [...this.#recipients.values()].filter(({ type }) => type === STREAM).map((each) => [each.type_id, each.id]),
    );
    for (const each of this.#rows(realm, 'zerver_stream', stream))
      yield {
        type: 'channel',
        key: this.#key(each.id),
        name: each.name,
        description: each.description ?? '',
        isPrivate: each.invite_only ?? false,
        isArchived: each.deactivated ?? false,
        createdMs: ms(each.date_created),
        creator: each.creator ? this.#key(each.creator) : undefined,
        members: (this.#members.get(ofStream.get(each.id) ?? 0) ?? []).map((id) => this.#key(id)),
      };
    yield* this.#emoji();
    const files = (await readdir(this.root)).filter((name) => /^messages-\d+\.json$/.test(name)).sort();
    for (const file of files) yield* this.#messagesOf(file);
  }

  readonly #key = (id: number | string) => `${this.#prefix}/${id}`;

  #user(given: v.InferOutput<typeof user>, table: string): ImportedUser {
    const name = given.full_name || given.email.replace(/@.*/, '');
    this.#names.set(given.id, name);
    const isCrossRealm = table === 'zerver_userprofile_crossrealm';
    const isReal = !given.is_mirror_dummy && table !== 'zerver_userprofile_mirrordummy';
    return {
      type: 'user',
      key: this.#key(given.id),
      name,
      email: isReal ? given.delivery_email || given.email : undefined,
      role: ROLES.get(given.role as 100) ?? 'member',
      isActive: isReal && given.is_active !== false,
      isBot: isCrossRealm || given.is_bot === true,
      timezone: given.timezone ?? undefined,
      joinedMs: ms(given.date_joined),
    };
  }

  *#groups(): Generator<ImportRecord> {
    const { realm } = this;
    const table = 'zerver_namedusergroup' in realm ? 'zerver_namedusergroup' : 'zerver_usergroup';
    const memberships = this.#rows(realm, 'zerver_usergroupmembership', membership);
    const members = idLists(memberships.map((each) => [each.user_group, each.user_profile]));
    for (const each of this.#rows(realm, table, group)) {
      const id = each.usergroup_ptr ?? each.id ?? 0;
      if (each.is_system_group || each.deactivated) continue;
      const own = (members.get(id) ?? []).map((user) => this.#key(user));
      yield { type: 'group', key: this.#key(id), name: each.name, description: each.description ?? '', members: own };
    }
  }

  async *#emoji(): AsyncGenerator<ImportRecord> {
    const records = existsSync(join(this.root, 'emoji', 'records.json'))
      ? ((await json(this.root, join('emoji', 'records.json'))) as unknown as Row[])
      : [];
    const paths = new Map(records.map(({ name, file_name, path }) => [`${name} ${file_name}`, path]));
    for (const each of this.#rows(this.realm, 'zerver_realmemoji', emoji)) {
      const path = paths.get(`${each.name} ${each.file_name}`);
      const entry = typeof path === 'string' ? checkedEntryName(Buffer.from(path)) : undefined;
      const file = entry === undefined ? undefined : fileIn(this.root, join('emoji', entry));
      if (each.deactivated) this.report.lose('deactivated custom emoji');
      else if (file === undefined) this.report.reject(`custom emoji ${each.name}`, 'The export has no picture of it.');
      else yield { type: 'emoji', key: this.#key(each.id), name: each.name, image: () => createReadStream(file) };
    }
  }

  async *#messagesOf(file: string): AsyncGenerator<ImportedMessage> {
    const data = await json(this.root, file).catch((error: unknown) => {
      if (!(error instanceof BadExport)) throw error;
      this.report.reject(file, error.message);
      return {};
    });
    const starred = this.#rows(data, 'zerver_usermessage', userMessage).filter(
      ({ flags_mask }) => ((flags_mask ?? 0) & STARRED) !== 0,
    );
    const stars = idLists(starred.map((each) => [each.message, each.user_profile]));
    const found = this.#rows(data, 'zerver_message', message, file);
    for (const each of found.sort((a, b) => a.id - b.id)) {
      const place = this.#placeOf(each);
      const sent = ms(each.date_sent ?? each.pub_date);
      const at = `${file}, message ${each.id}`;
      if (!place || sent === undefined) {
        this.report.reject(at, place ? 'It has no time.' : `There is no recipient ${each.recipient}.`);
        continue;
      }
      const { content, files } = this.#content(each.content);
      yield {
        type: 'message',
        key: this.#key(each.id),
        at,
        author: this.#key(each.sender),
        to: place,
        timeMs: sent,
        editedMs: ms(each.last_edit_time),
        content,
        reactions: (this.#reactions.get(each.id) ?? []).map(({ user_profile, emoji_name }) => ({
          user: this.#key(user_profile),
          name: emoji_name,
        })),
        starredBy: (stars.get(each.id) ?? []).map((id) => this.#key(id)),
        files,
      };
    }
  }

  #placeOf({ recipient, sender, subject }: Message): ImportedMessage['to'] | undefined {
    const to = this.#recipients.get(recipient);
    if (!to) return undefined;
    if (to.type === STREAM) return { channel: this.#key(to.type_id), topic: subject ?? '' };
    const users = to.type === PERSONAL ? [sender, to.type_id] : (this.#members.get(recipient) ?? []);
    return { users: [...new Set([...users, sender])].map((id) => this.#key(id)) };
  }

  /** The Markdown is that of the chat, except for the IDs of users and the addresses of files. */
  #content(given: string): Pick<ImportedMessage, 'content' | 'files'> {
    const files: ImportedMessage['files'][number][] = [];
    const content = given
      .replace(/@(_?)\*\*([^*|\n]*)\|(\d{1,15})\*\*/g, (whole, _silent, _name, id: string) =>
        reference('user', this.#key(id), whole),
      )
      .replace(/\(\/user_uploads\/([^\s()]+)\)/g, (whole, address: string) => {
        const path = decoded(address);
        const known = this.#attachments.get(path);
        if (!known || path.split('/').includes('..')) return whole;
        const stored = fileIn(this.root, join('uploads', path));
        const name = known.file_name || present(path.split('/').at(-1));
        const content = stored === undefined ? undefined : () => createReadStream(stored);
        files.push({ key: this.#key(`file/${path}`), name, mediaType: known.content_type ?? undefined, content });
        return `(${reference('file', this.#key(`file/${path}`), `/user_uploads/${address}`)})`;
      });
    return { content, files };
  }

  /** The valid rows of a table. */
  #rows<S extends v.GenericSchema>(data: Row, table: string, schema: S, file = 'realm.json'): v.InferOutput<S>[] {
    const rows = data[table] ?? [];
    if (!Array.isArray(rows)) throw new BadExport(`The table ${table} of ${file} is not a list.`);
    return rows.flatMap((row, at) => {
      const parsed = v.safeParse(schema, row);
      if (parsed.success) return [parsed.output];
      this.report.reject(`${file}, ${table}, row ${at + 1}`, problemOf(parsed.issues));
      return [];
    });
  }
}

/** Lists of the second IDs, by the first. */
function idLists(pairs: readonly (readonly [number, number])[]): Map<number, number[]> {
  return new Map([...groupBy(pairs, ([id]) => id)].map(([id, own]) => [id, own.map(([, other]) => other)]));
}

const ms = (seconds: number | null | undefined) => (seconds ? Math.floor(seconds * 1000) : undefined);

async function json(root: string, name: string): Promise<Row> {
  const path = join(root, name);
  if ((await stat(path)).size > MAX_JSON_BYTES) throw tooLarge(name, MAX_JSON_BYTES);
  return parsedJson(name, await readFile(path)) as Row;
}
