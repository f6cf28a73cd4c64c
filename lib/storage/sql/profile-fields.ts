import type { ProfileField, ProfileFieldStore } from '../interface/profile-fields.ts';
import type { Connection } from './connection.ts';
import { record } from './record.ts';

const FIELD = record<ProfileField>({
  id: 'integer',
  type: 'integer',
  name: 'text',
  hint: 'text',
  field_data: 'text',
  display_in_profile_summary: 'boolean',
  required: 'boolean',
  editable_by_user: 'boolean',
});
const NEW_FIELD = FIELD.without('id');

const ALL = `SELECT ${FIELD.columns} FROM profile_fields ORDER BY position, id`;
const INSERT = `
  INSERT INTO profile_fields (${NEW_FIELD.columns}, position)
  VALUES (${NEW_FIELD.places}, (SELECT COALESCE(MAX(position), 0) + 1 FROM profile_fields)) RETURNING id`;
const REORDER = `
  UPDATE profile_fields SET position = (SELECT p.b FROM PAIRS(?) AS p WHERE p.a = profile_fields.id) WHERE id IN_IDS(?)`;

export class SqlProfileFields implements ProfileFieldStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async all(): Promise<ProfileField[]> {
    return this.#connection.many(FIELD, ALL);
  }

  async create(field: Omit<ProfileField, 'id'>): Promise<number> {
    const id = await this.#connection.insert(INSERT, NEW_FIELD.values(field));
    await this.#noteChange();
    return id;
  }

  async update({ id, ...fields }: ProfileField): Promise<void> {
    const { text, params } = NEW_FIELD.assignments(fields);
    await this.#connection.run(`UPDATE profile_fields SET ${text} WHERE id = ?`, [...params, id]);
    await this.#noteChange();
  }

  async remove(id: number): Promise<void> {
    await this.#connection.run('DELETE FROM profile_fields WHERE id = ?', [id]);
    await this.#noteChange();
  }

  async reorder(ids: readonly number[]): Promise<void> {
    const places = ids.map((id, at) => [id, at + 1]);
    await this.#connection.run(REORDER, [JSON.stringify(places), JSON.stringify(ids)]);
    await this.#noteChange();
  }

  async #noteChange(): Promise<void> {
    await this.#connection.run('UPDATE organization SET version = version + 1 WHERE id = 1');
  }
}
