import type { Connection } from './connection.ts';
import type { RecordMapping } from './record.ts';

/** The statements for a list that the organization keeps in an order of its own choosing. */
interface Statements<T> {
  shape: RecordMapping<T>;
  newShape: RecordMapping<Omit<T, 'id'>>;
  table: string;
  all: string;
  insert: string;
  reorder: string;
}

export function orderedList<T extends { id: number }>(table: string, shape: RecordMapping<T>): Statements<T> {
  const newShape = shape.without('id');
  return {
    shape,
    newShape,
    table,
    all: `SELECT ${shape.columns} FROM ${table} ORDER BY position, id`,
    insert: `
      INSERT INTO ${table} (${newShape.columns}, position)
      VALUES (${newShape.places}, (SELECT COALESCE(MAX(position), 0) + 1 FROM ${table})) RETURNING id`,
    reorder: `
      UPDATE ${table} SET position = (SELECT p.b FROM PAIRS(?) AS p WHERE p.a = ${table}.id) WHERE id IN_IDS(?)`,
  };
}

/** Such a list is part of the organization's record: every change raises its version. */
export class SqlOrderedList<T extends { id: number }> {
  readonly #connection: Connection;
  readonly #statements: Statements<T>;

  constructor(connection: Connection, statements: Statements<T>) {
    this.#connection = connection;
    this.#statements = statements;
  }

  async all(): Promise<T[]> {
    return this.#connection.many(this.#statements.shape, this.#statements.all);
  }

  async create(entry: Omit<T, 'id'>): Promise<number> {
    const { insert, newShape } = this.#statements;
    const id = await this.#connection.insert(insert, newShape.values(entry));
    await this.#noteChange();
    return id;
  }

  async update({ id, ...fields }: T): Promise<void> {
    const { table, newShape } = this.#statements;
    const { text, params } = newShape.assignments(fields as Partial<Omit<T, 'id'>>);
    await this.#connection.run(`UPDATE ${table} SET ${text} WHERE id = ?`, [...params, id]);
    await this.#noteChange();
  }

  async remove(id: number): Promise<void> {
    await this.#connection.run(`DELETE FROM ${this.#statements.table} WHERE id = ?`, [id]);
    await this.#noteChange();
  }

  async reorder(ids: readonly number[]): Promise<void> {
    const places = ids.map((id, at) => [id, at + 1]);
    await this.#connection.run(this.#statements.reorder, [JSON.stringify(places), JSON.stringify(ids)]);
    await this.#noteChange();
  }

  async #noteChange(): Promise<void> {
    await this.#connection.run('UPDATE organization SET version = version + 1 WHERE id = 1');
  }
}
