import type {
  Linkifier,
  Organization,
  OrganizationFields,
  Playground,
  ProfileField,
  Versions,
} from '../../model/organization.ts';
import type {
  LinkifierStore,
  OrganizationStore,
  PlaygroundStore,
  ProfileFieldStore,
} from '../interface/organization.ts';
import { StorageError } from '../storage-error.ts';
import { type Connection, SqlStore, type SqlValue } from './connection.ts';
import { type RecordMapping, record } from './record.ts';

const ORGANIZATION = record<Omit<Organization, 'linkifiers' | 'profile_fields' | 'site_path'>>({
  version: 'integer',
  users_version: 'integer',
  name: 'text',
  description: 'text',
  host: 'text',
  created_ms: 'integer',
  secret: 'text',
  uuid: 'text',
  settings: 'json',
});
const NEW_ORGANIZATION = ORGANIZATION.without('version', 'users_version');
/** `required_schema` is read with them, so that noticing a migration of another process costs no statement. */
const VERSIONS = record<Versions & { required_schema: number }>({
  version: 'integer',
  users_version: 'integer',
  channels_version: { column: 'places_version' },
  readers_version: 'integer',
  push_version: 'integer',
  required_schema: 'integer',
});

const GET_ORGANIZATION = `SELECT ${ORGANIZATION.columns} FROM organization WHERE id = 1`;
const GET_VERSIONS = `SELECT ${VERSIONS.columns} FROM organization WHERE id = 1`;
const INSERT_ORGANIZATION = `
  INSERT INTO organization (id, version, users_version, required_schema, ${NEW_ORGANIZATION.columns})
  VALUES (1, 1, 1, (SELECT MAX(version) FROM migrations), ${NEW_ORGANIZATION.places})`;

/** The column of each version that caches compare; that of channels has its old name. */
const VERSION_COLUMNS = {
  organization: 'version',
  channels: 'places_version',
  readers: 'readers_version',
  push: 'push_version',
};

/** Call it with every change of data that the version counts. */
export async function raiseVersion(connection: Connection, of: keyof typeof VERSION_COLUMNS): Promise<void> {
  const column = VERSION_COLUMNS[of];
  await connection.run(`UPDATE organization SET ${column} = ${column} + 1 WHERE id = 1`);
}

export class SqlOrganization extends SqlStore implements OrganizationStore {
  async get(): Promise<Organization | undefined> {
    const organization = await this.connection.one(ORGANIZATION, GET_ORGANIZATION);
    if (!organization) return undefined;
    return {
      ...organization,
      linkifiers: await new SqlLinkifiers(this.connection).all(),
      profile_fields: await new SqlProfileFields(this.connection).all(),
    };
  }

  async versions(answered?: () => void): Promise<Versions | undefined> {
    const load = async () => this.connection.one(VERSIONS, GET_VERSIONS);
    const { foresee } = this.connection;
    const versions = await (foresee?.(load, answered) ?? load());
    if (!foresee) answered?.();
    if (versions) checkKnown(versions.required_schema, this.connection.knownSchema);
    return versions;
  }

  async create(organization: OrganizationFields): Promise<void> {
    await this.connection.run(INSERT_ORGANIZATION, NEW_ORGANIZATION.values(organization));
    // Another process may have migrated the database while it held none.
    await this.versions();
  }

  async update(patch: Partial<Pick<Organization, 'name' | 'description' | 'settings'>>): Promise<void> {
    const { text, params, once } = NEW_ORGANIZATION.assignments(patch);
    await this.connection.run(
      `UPDATE organization SET ${text}${text && ', '}version = version + 1 WHERE id = 1`,
      params,
      { once },
    );
  }
}

function checkKnown(required: number, known: number): void {
  if (required <= known) return;
  throw new StorageError(
    `A newer version of Parlance has migrated the database (schema ${required}, this process knows ${known}). Restart this process with the newer version.`,
    'outdated',
  );
}

/** The statements of a list that the organization keeps in an order of its own. */
function orderedList<T extends { id: number }>(table: string, mapping: RecordMapping<T>) {
  const created = mapping.without('id');
  return {
    mapping,
    created,
    all: `SELECT ${mapping.columns} FROM ${table} ORDER BY position, id`,
    insert: `
      INSERT INTO ${table} (${created.columns}, position)
      VALUES (${created.places}, (SELECT COALESCE(MAX(position), 0) + 1 FROM ${table})) RETURNING id`,
    update: (assignments: string) => `UPDATE ${table} SET ${assignments} WHERE id = ?`,
    remove: `DELETE FROM ${table} WHERE id = ?`,
    reorder: `
      UPDATE ${table} SET position = (SELECT p.b FROM PAIRS(?) AS p WHERE p.a = ${table}.id) WHERE id IN_IDS(?)`,
  };
}

/** Such a list is part of the organization's record: every change raises its version. */
abstract class SqlOrderedList<T extends { id: number }> extends SqlStore {
  protected abstract readonly list: ReturnType<typeof orderedList<T>>;

  async all(): Promise<T[]> {
    return this.connection.many(this.list.mapping, this.list.all);
  }

  async create(entry: Omit<T, 'id'>): Promise<number> {
    const id = await this.connection.insert(this.list.insert, this.list.created.values(entry));
    await raiseVersion(this.connection, 'organization');
    return id;
  }

  async update({ id, ...fields }: T): Promise<void> {
    const { text, params } = this.list.created.assignments(fields as Partial<Omit<T, 'id'>>);
    await this.#change(this.list.update(text), [...params, id]);
  }

  async remove(id: number): Promise<void> {
    await this.#change(this.list.remove, [id]);
  }

  async reorder(ids: readonly number[]): Promise<void> {
    const places = ids.map((id, at) => [id, at + 1]);
    await this.#change(this.list.reorder, [JSON.stringify(places), JSON.stringify(ids)]);
  }

  async #change(sql: string, params: readonly SqlValue[]): Promise<void> {
    await this.connection.run(sql, params);
    await raiseVersion(this.connection, 'organization');
  }
}

const LINKIFIERS = orderedList(
  'linkifiers',
  record<Linkifier>({ id: 'integer', pattern: 'text', url_template: 'text' }),
);

export class SqlLinkifiers extends SqlOrderedList<Linkifier> implements LinkifierStore {
  protected readonly list = LINKIFIERS;
}

const PROFILE_FIELDS = orderedList(
  'profile_fields',
  record<ProfileField>({
    id: 'integer',
    type: 'integer',
    name: 'text',
    hint: 'text',
    field_data: 'text',
    display_in_profile_summary: 'boolean',
    required: 'boolean',
    editable_by_user: 'boolean',
  }),
);

export class SqlProfileFields extends SqlOrderedList<ProfileField> implements ProfileFieldStore {
  protected readonly list = PROFILE_FIELDS;
}

const PLAYGROUND = record<Playground>({ id: 'integer', name: 'text', pygments_language: 'text', url_template: 'text' });
const NEW_PLAYGROUND = PLAYGROUND.without('id');

const ALL_PLAYGROUNDS = `SELECT ${PLAYGROUND.columns} FROM playgrounds ORDER BY id`;
const INSERT_PLAYGROUND = `INSERT INTO playgrounds (${NEW_PLAYGROUND.columns}) VALUES (${NEW_PLAYGROUND.places}) RETURNING id`;
const REMOVE_PLAYGROUND = 'DELETE FROM playgrounds WHERE id = ?';

export class SqlPlaygrounds extends SqlStore implements PlaygroundStore {
  readonly all = this.statement.many(PLAYGROUND, ALL_PLAYGROUNDS);
  readonly remove = this.statement.changes(REMOVE_PLAYGROUND);

  async create(playground: Omit<Playground, 'id'>): Promise<number> {
    return this.connection.insert(INSERT_PLAYGROUND, NEW_PLAYGROUND.values(playground));
  }
}
