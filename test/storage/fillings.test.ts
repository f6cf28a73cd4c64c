import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemaOf } from '../../lib/storage/maintenance/tables.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { Connection } from '../../lib/storage/sql/connection.ts';
import { sqliteDialect } from '../../lib/storage/sql/dialect.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { defaultDriver } from '../../lib/storage/sqlite/driver.ts';
import { contentOfOlder, upTo } from './older-content.ts';

const indexed = [
  ...new Set(
    migrations.flatMap(({ sql }) => [...sql.matchAll(/WORD_(?:INDEX|LIST) (\w+)/g)].map(([, name]) => name as string)),
  ),
];

/** The statements that fill a database of that version. */
async function statementsOf(version: number): Promise<string[]> {
  const connection = SqliteConnection.open(defaultDriver(), ':memory:');
  try {
    connection.exec(schemaOf(upTo(version), sqliteDialect));
    connection.exec(contentOfOlder(20));
    const texts: string[] = [];
    const noting = new Proxy(connection, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (typeof given[0] === 'string') texts.push(given[0]);
          return value.apply(target, given);
        };
      },
    }) as unknown as Connection;
    await migrations.find((one) => one.version === version)?.fill?.some(noting, 0);
    return texts;
  } finally {
    connection.close();
  }
}

describe("the declarations of a migration's filling", () => {
  test('each word index is named in the makes of a filling, so that a restore builds it', () => {
    assert.ok(indexed.length > 0);
    const made = migrations.flatMap(({ fill }) => fill?.makes ?? []);
    assert.deepEqual(
      indexed.filter((name) => !made.includes(name)),
      [],
    );
  });

  for (const { version, name, fill } of migrations) {
    if (!fill) continue;
    test(`${name}: the filling reads every table in its goesThrough`, async () => {
      const read = (await statementsOf(version)).flatMap((text) => [...text.matchAll(/\b(?:FROM|UPDATE) (\w+)/g)]);
      assert.ok(fill.goesThrough.length > 0);
      const tables = new Set(read.map(([, table]) => table));
      assert.deepEqual(
        fill.goesThrough.filter((table) => !tables.has(table)),
        [],
      );
    });

    test(`${name}: each word index that the filling writes is named in its makes`, async () => {
      const written = (await statementsOf(version)).flatMap((text) => [...text.matchAll(/\b(?:INTO|UPDATE) (\w+)/g)]);
      const put = new Set(written.map(([, table]) => table as string));
      assert.deepEqual(
        indexed.filter((table) => put.has(table) && !fill.makes?.includes(table)),
        [],
      );
    });
  }
});
