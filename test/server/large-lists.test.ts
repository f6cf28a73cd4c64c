import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawJson } from '../../lib/internal.ts';
import { withLongListsWritten } from '../../server/respond.ts';

const text = 'Ünïcode "quoted" \u2028 '.repeat(500);
const entries = Array.from({ length: 3_000 }, (_, id) => ({ id, text, left: undefined, flags: [id % 2 === 0] }));

function read(result: object): unknown {
  const fields = Object.entries(result).map(([name, value]) => [
    name,
    value instanceof RawJson ? value.value() : value,
  ]);
  return Object.fromEntries(fields);
}

test('long lists written in parts are the same JSON as written at once', async () => {
  const byId = Object.fromEntries(entries.map((entry) => [`no. "${entry.id}"`, entry.id === 5 ? undefined : entry]));
  for (const list of [entries, [{}, ...Array(200).fill(undefined)], byId]) {
    const answer = { list, anchor: 7, found: true, none: undefined };
    const written = (await withLongListsWritten(answer)) as typeof answer;
    assert.ok(written.list instanceof RawJson);
    assert.deepEqual(JSON.stringify(read(written)), JSON.stringify(JSON.parse(JSON.stringify(answer))));
  }
  const empty = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`n${n}`, undefined]));
  assert.deepEqual(read(await withLongListsWritten({ empty })), { empty: {} });
});

test('writing megabytes of lists yields to the event loop', async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  await withLongListsWritten({ entries });
  clearInterval(counting);
  assert.ok(turns > 1, `${turns} turns`);
});

test('short lists, lists of numbers and RawJson are not changed', async () => {
  const answer = {
    short: entries.slice(0, 100),
    ids: entries.map(({ id }) => id),
    raw: new RawJson(Buffer.from('[]')),
    name: 'Ada',
    nothing: null,
  };
  assert.deepEqual(await withLongListsWritten(answer), answer);
});
