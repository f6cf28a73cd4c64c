import type { Organization, OrganizationFields, OrganizationStore, Versions } from '../interface/organization.ts';
import type { Connection } from './connection.ts';
import { SqlLinkifiers } from './linkifiers.ts';

type OrganizationRow = Omit<Organization, 'settings' | 'linkifiers'> & { settings: string };

export class SqlOrganization implements OrganizationStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async get(): Promise<Organization | undefined> {
    const row = await this.#connection.get<OrganizationRow>(
      `SELECT version, users_version, name, description, host, created_ms, secret, uuid, settings
       FROM organization WHERE id = 1`,
    );
    if (!row) return undefined;
    const linkifiers = await new SqlLinkifiers(this.#connection).all();
    return { ...row, settings: JSON.parse(row.settings), linkifiers };
  }

  async versions(): Promise<Versions | undefined> {
    return this.#connection.get<Versions>(
      'SELECT version, users_version, places_version FROM organization WHERE id = 1',
    );
  }

  async create(organization: OrganizationFields): Promise<void> {
    await this.#connection.run(
      `INSERT INTO organization (id, version, users_version, name, description, host, created_ms, secret, uuid, settings)
       VALUES (1, 1, 1, ?, ?, ?, ?, ?, ?, ?)`,
      [
        organization.name,
        organization.description,
        organization.host,
        organization.created_ms,
        organization.secret,
        organization.uuid,
        JSON.stringify(organization.settings),
      ],
    );
  }

  async update(patch: Partial<Pick<Organization, 'name' | 'description' | 'settings'>>): Promise<void> {
    await this.#connection.run(
      `UPDATE organization SET version = version + 1, name = COALESCE(?, name),
         description = COALESCE(?, description), settings = COALESCE(?, settings)
       WHERE id = 1`,
      [patch.name ?? null, patch.description ?? null, patch.settings ? JSON.stringify(patch.settings) : null],
    );
  }
}
