import type { Organization, OrganizationFields, OrganizationStore, Versions } from '../interface/organization.ts';
import { StorageError } from '../storage-error.ts';
import { SqlStore } from './connection.ts';
import { SqlLinkifiers } from './linkifiers.ts';
import { SqlProfileFields } from './profile-fields.ts';
import { record } from './record.ts';

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

const GET = `SELECT ${ORGANIZATION.columns} FROM organization WHERE id = 1`;
const GET_VERSIONS = `SELECT ${VERSIONS.columns} FROM organization WHERE id = 1`;
const INSERT = `
  INSERT INTO organization (id, version, users_version, required_schema, ${NEW_ORGANIZATION.columns})
  VALUES (1, 1, 1, (SELECT MAX(version) FROM migrations), ${NEW_ORGANIZATION.places})`;

export class SqlOrganization extends SqlStore implements OrganizationStore {
  async get(): Promise<Organization | undefined> {
    const organization = await this.connection.one(ORGANIZATION, GET);
    if (!organization) return undefined;
    return {
      ...organization,
      linkifiers: await new SqlLinkifiers(this.connection).all(),
      profile_fields: await new SqlProfileFields(this.connection).all(),
    };
  }

  async versions(answered?: () => void): Promise<Versions | undefined> {
    const load = async () => this.connection.one(VERSIONS, GET_VERSIONS);
    const { foresee, once } = this.connection;
    const versions = await (foresee?.(load, answered) ?? once?.('versions', load) ?? load());
    if (!foresee) answered?.();
    if (versions) checkKnown(versions.required_schema, this.connection.knownSchema);
    return versions;
  }

  async create(organization: OrganizationFields): Promise<void> {
    await this.connection.run(INSERT, NEW_ORGANIZATION.values(organization));
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
