import type { Linkifier, LinkifierStore } from '../interface/linkifiers.ts';
import type { Connection } from './connection.ts';

export class SqlLinkifiers implements LinkifierStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async all(): Promise<Linkifier[]> {
    const rows = await this.#connection.all<Linkifier>(
      'SELECT id, pattern, url_template FROM linkifiers ORDER BY position, id',
    );
    return rows.map((row) => ({ ...row }));
  }

  async create({ pattern, url_template }: Omit<Linkifier, 'id'>): Promise<number> {
    const row = await this.#connection.get<{ id: number }>(
      `INSERT INTO linkifiers (pattern, url_template, position)
       VALUES (?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM linkifiers)) RETURNING id`,
      [pattern, url_template],
    );
    await this.#noteChange();
    return (row as { id: number }).id;
  }

  async update({ id, pattern, url_template }: Linkifier): Promise<void> {
    await this.#connection.run('UPDATE linkifiers SET pattern = ?, url_template = ? WHERE id = ?', [
      pattern,
      url_template,
      id,
    ]);
    await this.#noteChange();
  }

  async remove(id: number): Promise<void> {
    await this.#connection.run('DELETE FROM linkifiers WHERE id = ?', [id]);
    await this.#noteChange();
  }

  async reorder(ids: readonly number[]): Promise<void> {
    const places = ids.map((id, at) => [id, at + 1]);
    await this.#connection.run(
      'UPDATE linkifiers SET position = (SELECT p.b FROM PAIRS(?) AS p WHERE p.a = linkifiers.id) WHERE id IN_IDS(?)',
      [JSON.stringify(places), JSON.stringify(ids)],
    );
    await this.#noteChange();
  }

  async #noteChange(): Promise<void> {
    await this.#connection.run('UPDATE organization SET version = version + 1 WHERE id = 1');
  }
}
