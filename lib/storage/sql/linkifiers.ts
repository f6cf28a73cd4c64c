import type { Linkifier, LinkifierStore } from '../interface/linkifiers.ts';
import type { Connection } from './connection.ts';
import { record } from './record.ts';

const LINKIFIER = record<Linkifier>({ id: 'integer', pattern: 'text', url_template: 'text' });
const NEW_LINKIFIER = LINKIFIER.without('id');

const ALL = `SELECT ${LINKIFIER.columns} FROM linkifiers ORDER BY position, id`;
const INSERT = `
  INSERT INTO linkifiers (${NEW_LINKIFIER.columns}, position)
  VALUES (${NEW_LINKIFIER.places}, (SELECT COALESCE(MAX(position), 0) + 1 FROM linkifiers)) RETURNING id`;
const REORDER = `
  UPDATE linkifiers SET position = (SELECT p.b FROM PAIRS(?) AS p WHERE p.a = linkifiers.id) WHERE id IN_IDS(?)`;

export class SqlLinkifiers implements LinkifierStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async all(): Promise<Linkifier[]> {
    return this.#connection.many(LINKIFIER, ALL);
  }

  async create(linkifier: Omit<Linkifier, 'id'>): Promise<number> {
    const id = await this.#connection.insert(INSERT, NEW_LINKIFIER.values(linkifier));
    await this.#noteChange();
    return id;
  }

  async update({ id, ...fields }: Linkifier): Promise<void> {
    const { text, params } = NEW_LINKIFIER.assignments(fields);
    await this.#connection.run(`UPDATE linkifiers SET ${text} WHERE id = ?`, [...params, id]);
    await this.#noteChange();
  }

  async remove(id: number): Promise<void> {
    await this.#connection.run('DELETE FROM linkifiers WHERE id = ?', [id]);
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
