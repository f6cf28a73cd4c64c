import { fold } from '../../rules/fold.ts';
import type { EmailVisibility, NewUser, Role, User, UserStore } from '../interface/users.ts';
import type { Connection } from './connection.ts';
import { assignments, toColumn } from './fields.ts';

const FIELDS = [
  'delivery_email',
  'full_name',
  'role',
  'is_active',
  'bot_type',
  'bot_owner_id',
  'is_system_bot',
  'timezone',
  'joined_ms',
  'avatar_source',
  'avatar_version',
  'email_visibility',
  'password_hash',
  'key_generation',
  'settings',
] as const satisfies readonly (keyof NewUser)[];

const COLUMNS = ['id', ...FIELDS, 'version'].join(', ');

const BY_ID = `SELECT ${COLUMNS} FROM users WHERE id = ?`;
const INSERT = `
  INSERT INTO users (${FIELDS.join(', ')}, email_key, version)
  VALUES (${FIELDS.map(() => '?').join(', ')}, ?, ?) RETURNING ${COLUMNS}`;

interface UserRow {
  id: number;
  delivery_email: string;
  full_name: string;
  role: number;
  is_active: number;
  bot_type: number | null;
  bot_owner_id: number | null;
  is_system_bot: number;
  timezone: string;
  joined_ms: number;
  avatar_source: string;
  avatar_version: number;
  email_visibility: number;
  password_hash: string | null;
  key_generation: number;
  settings: string;
  version: number;
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    delivery_email: row.delivery_email,
    full_name: row.full_name,
    role: row.role as Role,
    is_active: row.is_active === 1,
    bot_type: row.bot_type,
    bot_owner_id: row.bot_owner_id,
    is_system_bot: row.is_system_bot === 1,
    timezone: row.timezone,
    joined_ms: row.joined_ms,
    avatar_source: row.avatar_source,
    avatar_version: row.avatar_version,
    email_visibility: row.email_visibility as EmailVisibility,
    password_hash: row.password_hash,
    key_generation: row.key_generation,
    settings: JSON.parse(row.settings),
    version: row.version,
  };
}

export class SqlUsers implements UserStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async byId(id: number): Promise<User | undefined> {
    const row = await this.#connection.get<UserRow>(BY_ID, [id]);
    return row && toUser(row);
  }

  async byIds(ids: readonly number[]): Promise<User[]> {
    if (ids.length === 0) return [];
    return this.#select('id IN_IDS(?)', JSON.stringify(ids));
  }

  async byEmail(email: string): Promise<User | undefined> {
    const row = await this.#connection.get<UserRow>(`SELECT ${COLUMNS} FROM users WHERE email_key = ?`, [fold(email)]);
    return row && toUser(row);
  }

  async byEmails(emails: readonly string[]): Promise<User[]> {
    if (emails.length === 0) return [];
    return this.#select('email_key IN_TEXTS(?)', JSON.stringify(emails.map(fold)));
  }

  async byNames(names: readonly string[]): Promise<User[]> {
    if (names.length === 0) return [];
    const wanted = new Set(names.map(fold));
    // An engine's own lower() may know ASCII alone, so names beyond it are compared here.
    const beyondAscii = [...wanted].some((name) => /[^\0-\x7f]/.test(name));
    const found = await this.#select(
      `lower(full_name) IN_TEXTS(?)${beyondAscii ? ' OR octet_length(full_name) <> length(full_name)' : ''}`,
      JSON.stringify([...wanted]),
    );
    return found.filter((user) => wanted.has(fold(user.full_name)));
  }

  async changedSince(version: number): Promise<User[]> {
    return this.#select('version > ?', version);
  }

  async create(user: NewUser): Promise<User> {
    const version = await this.#nextVersion();
    const row = await this.#connection.get<UserRow>(INSERT, [
      ...FIELDS.map((field) => toColumn(user[field])),
      fold(user.delivery_email),
      version,
    ]);
    return toUser(row as UserRow);
  }

  async update(id: number, patch: Partial<NewUser>): Promise<User> {
    const version = await this.#nextVersion();
    const { text, params } = assignments(
      patch.delivery_email === undefined ? patch : { ...patch, email_key: fold(patch.delivery_email) },
      [...FIELDS, 'email_key'],
    );
    const row = await this.#connection.get<UserRow>(
      `UPDATE users SET ${text}${text && ', '}version = ? WHERE id = ? RETURNING ${COLUMNS}`,
      [...params, version, id],
    );
    if (!row) throw new Error(`There is no user ${id}.`);
    return toUser(row);
  }

  async countActive(role: Role): Promise<number> {
    const row = await this.#connection.get<{ n: number }>(
      'SELECT COUNT(*) AS n FROM users WHERE role = ? AND is_active = 1 AND bot_type IS NULL AND is_system_bot = 0',
      [role],
    );
    return row?.n ?? 0;
  }

  async botsOwnedBy(ownerId: number): Promise<User[]> {
    return this.#select('bot_owner_id = ? AND bot_type IS NOT NULL', ownerId);
  }

  async activeIds(roles?: readonly Role[]): Promise<number[]> {
    const rows = roles
      ? await this.#connection.all<{ id: number }>(
          'SELECT id FROM users WHERE is_active = 1 AND is_system_bot = 0 AND role IN_IDS(?) ORDER BY id',
          [JSON.stringify(roles)],
        )
      : await this.#connection.all<{ id: number }>(
          'SELECT id FROM users WHERE is_active = 1 AND is_system_bot = 0 ORDER BY id',
        );
    return rows.map((row) => row.id);
  }

  async inactiveIds(): Promise<number[]> {
    const rows = await this.#connection.all<{ id: number }>('SELECT id FROM users WHERE is_active = 0 ORDER BY id');
    return rows.map((row) => row.id);
  }

  async #select(condition: string, param: number | string): Promise<User[]> {
    const rows = await this.#connection.all<UserRow>(`SELECT ${COLUMNS} FROM users WHERE ${condition} ORDER BY id`, [
      param,
    ]);
    return rows.map(toUser);
  }

  /** Before the organization exists its first accounts carry version 1, with which it begins. */
  async #nextVersion(): Promise<number> {
    const row = await this.#connection.get<{ users_version: number }>(
      'UPDATE organization SET users_version = users_version + 1 WHERE id = 1 RETURNING users_version',
    );
    return row?.users_version ?? 1;
  }
}
