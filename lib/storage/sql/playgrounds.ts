import type { Playground, PlaygroundStore } from '../interface/playgrounds.ts';
import type { Connection } from './connection.ts';

export class SqlPlaygrounds implements PlaygroundStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async all(): Promise<Playground[]> {
    const rows = await this.#connection.all<Playground>(
      'SELECT id, name, pygments_language, url_template FROM playgrounds ORDER BY id',
    );
    return rows.map((row) => ({ ...row }));
  }

  async create(playground: Omit<Playground, 'id'>): Promise<number> {
    const row = await this.#connection.get<{ id: number }>(
      'INSERT INTO playgrounds (name, pygments_language, url_template) VALUES (?, ?, ?) RETURNING id',
      [playground.name, playground.pygments_language, playground.url_template],
    );
    return (row as { id: number }).id;
  }

  async remove(id: number): Promise<boolean> {
    return (await this.#connection.run('DELETE FROM playgrounds WHERE id = ?', [id])) > 0;
  }
}
