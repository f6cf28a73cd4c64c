import type { Organization, OrganizationFields, OrganizationStore, Versions } from '../interface/organization.ts';
import type { Connection } from './connection.ts';
import { SqlLinkifiers } from './linkifiers.ts';
import { record } from './record.ts';

const ORGANIZATION = record<Omit<Organization, 'linkifiers'>>({
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
const VERSIONS = record<Versions>({
  version: 'integer',
  users_version: 'integer',
  channels_version: { column: 'places_version' },
});

const GET = `SELECT ${ORGANIZATION.columns} FROM organization WHERE id = 1`;
const GET_VERSIONS = `SELECT ${VERSIONS.columns} FROM organization WHERE id = 1`;
const INSERT = `
  INSERT INTO organization (id, version, users_version, ${NEW_ORGANIZATION.columns})
  VALUES (1, 1, 1, ${NEW_ORGANIZATION.places})`;

export class SqlOrganization implements OrganizationStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(): Promise<Organization | undefined> {
    const organization = await this.#connection.one(ORGANIZATION, GET);
    if (!organization) return undefined;
    return { ...organization, linkifiers: await new SqlLinkifiers(this.#connection).all() };
  }

  async versions(): Promise<Versions | undefined> {
    const load = async () => this.#connection.one(VERSIONS, GET_VERSIONS);
    return this.#connection.concurrency?.once?.('versions', load) ?? load();
  }

  async create(organization: OrganizationFields): Promise<void> {
    await this.#connection.run(INSERT, NEW_ORGANIZATION.values(organization));
  }

  async update(patch: Partial<Pick<Organization, 'name' | 'description' | 'settings'>>): Promise<void> {
    const { text, params } = NEW_ORGANIZATION.assignments(patch);
    await this.#connection.run(
      `UPDATE organization SET ${text}${text && ', '}version = version + 1 WHERE id = 1`,
      params,
    );
  }
}
