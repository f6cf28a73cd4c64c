import type { Playground, PlaygroundStore } from '../interface/playgrounds.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const PLAYGROUND = record<Playground>({ id: 'integer', name: 'text', pygments_language: 'text', url_template: 'text' });
const NEW_PLAYGROUND = PLAYGROUND.without('id');

const ALL = `SELECT ${PLAYGROUND.columns} FROM playgrounds ORDER BY id`;
const INSERT = `INSERT INTO playgrounds (${NEW_PLAYGROUND.columns}) VALUES (${NEW_PLAYGROUND.places}) RETURNING id`;
const REMOVE = 'DELETE FROM playgrounds WHERE id = ?';

export class SqlPlaygrounds extends SqlStore implements PlaygroundStore {
  async all(): Promise<Playground[]> {
    return this.connection.many(PLAYGROUND, ALL);
  }

  async create(playground: Omit<Playground, 'id'>): Promise<number> {
    return this.connection.insert(INSERT, NEW_PLAYGROUND.values(playground));
  }

  async remove(id: number): Promise<boolean> {
    return (await this.connection.run(REMOVE, [id])) > 0;
  }
}
