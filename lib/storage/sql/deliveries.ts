import type { Delivery, DeliveryStore } from '../interface/deliveries.ts';
import type { Connection } from './connection.ts';
import type { RecordMapping } from './record.ts';

/** The statements for a table of what is sent at a time of its own. */
export function deliveryStatements<D extends Delivery>(table: string, mapping: RecordMapping<D>) {
  return {
    nextDue: `SELECT MIN(due_ms) AS at FROM ${table} WHERE due_ms IS NOT NULL`,
    // Chosen once and before the update: joined to it, the choice could be made again and exceed the limit.
    claim: `
      WITH claimed AS MATERIALIZED (
        SELECT id FROM ${table} WHERE due_ms <= ? ORDER BY due_ms, id LIMIT ? SKIP_LOCKED)
      UPDATE ${table} SET due_ms = ?, revision = revision + 1 WHERE id IN (SELECT id FROM claimed)
      RETURNING ${mapping.columns}`,
    take: `DELETE FROM ${table} WHERE id = ? AND revision = ?`,
    fail: `
      UPDATE ${table} SET due_ms = NULL, failure = ?, revision = revision + 1 WHERE id = ? AND revision = ?`,
  };
}

type Statements = ReturnType<typeof deliveryStatements>;

export abstract class SqlDeliveries<D extends Delivery> implements DeliveryStore<D> {
  protected readonly connection: Connection;
  readonly #mapping: RecordMapping<D>;
  readonly #statements: Statements;

  constructor(connection: Connection, mapping: RecordMapping<D>, statements: Statements) {
    this.connection = connection;
    this.#mapping = mapping;
    this.#statements = statements;
  }

  async nextDue(): Promise<number | undefined> {
    const row = await this.connection.get<{ at: number | null }>(this.#statements.nextDue);
    return row?.at ?? undefined;
  }

  async claimDue(nowMs: number, leaseUntilMs: number, limit: number): Promise<D[]> {
    const claimed = await this.connection.many(this.#mapping, this.#statements.claim, [nowMs, limit, leaseUntilMs]);
    return claimed.sort(
      (one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp || one.id - other.id,
    );
  }

  async take({ id, revision }: Pick<D, 'id' | 'revision'>): Promise<boolean> {
    return (await this.connection.run(this.#statements.take, [id, revision])) > 0;
  }

  async fail({ id, revision }: Pick<D, 'id' | 'revision'>, failure: string): Promise<boolean> {
    return (await this.connection.run(this.#statements.fail, [failure, id, revision])) > 0;
  }
}
