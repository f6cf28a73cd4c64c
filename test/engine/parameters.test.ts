import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as v from 'valibot';
import {
  choice,
  either,
  flag,
  groupSetting,
  groupSettingUpdate,
  id,
  ids,
  integer,
  list,
  text,
} from '../../lib/base/schemas.ts';
import { decodeText } from '../../lib/base/text-codec.ts';
import { readParameters, unknownParameters } from '../../lib/engine/parameters.ts';
import type { Operation } from '../../lib/operation/operation.ts';

const operation = {
  params: {
    name: text(5),
    ids: v.optional(ids, []),
    is_on: v.optional(flag),
    kind: v.optional(choice(['one', 'two'])),
    group: v.optional(groupSetting),
    update: v.optional(groupSettingUpdate),
    days: v.optional(either([text(40), integer], 'must be a number of days or a word')),
    folder: v.optional(v.nullable(id)),
    objects: v.optional(list(v.object({ name: text() }, 'must be an object with a name'), 2)),
  },
} as unknown as Operation;

/** As over HTTP, where all values are text. */
const read = (fields: Record<string, unknown>) => readParameters(operation, { name: 'x', ...fields }, decodeText);

const refuses = (fields: Record<string, unknown>, message: RegExp) =>
  assert.throws(() => read(fields), { code: 'BAD_REQUEST', message });

test('omitted parameters have their defaults or are absent', () => {
  assert.deepEqual(read({}), { name: 'x', ids: [] });
});

test('a missing required parameter is refused with its name', () => {
  assert.throws(() => readParameters(operation, {}), { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'name' } });
});

test('the first declared of several invalid parameters is reported', () => {
  assert.throws(() => readParameters(operation, { is_on: 'maybe' }, decodeText), { code: 'REQUEST_VARIABLE_MISSING' });
  refuses({ name: 'too long', is_on: 'maybe' }, /^name is too long \(limit: 5 characters\)/);
});

test('unknown parameters are listed in alphabetical order', () => {
  assert.deepEqual(unknownParameters(operation, { zeta: 1, name: 'x', alpha: 2, constructor: 3 }), [
    'alpha',
    'constructor',
    'zeta',
  ]);
});

test('inherited properties such as toString do not count as parameters', () => {
  const bare = { params: { toString: text() } } as unknown as Operation;
  assert.throws(() => readParameters(bare, {}), { code: 'REQUEST_VARIABLE_MISSING' });
});

describe('strict values', () => {
  for (const text of ['True', '1', '"true"', '', 'yes']) {
    test(`${JSON.stringify(text)} is refused as a boolean`, () => refuses({ is_on: text }, /^is_on/));
  }
  for (const text of ['5.0', '1e3', '1E3', '-7.0', '5.5', '"5"', 'true', 'null', '', '+5', '9007199254740993']) {
    test(`${JSON.stringify(text)} is refused as an integer in a list`, () =>
      refuses({ ids: `[${text === '' ? 'x' : text}]` }, /^ids/));
  }
  for (const number of ['3.0', '3e0', '30E-1', '-3.0', '0.0']) {
    test(`${number} is refused as an integer in every parameter`, () => {
      refuses({ ids: `[1, ${number}]` }, /^ids\[1\] must be an integer\.$/);
      refuses({ folder: number }, /^folder must be an integer\.$/);
      refuses({ group: number }, /^group must be an integer/);
      refuses(
        { group: `{"direct_members":[${number}],"direct_subgroups":[]}` },
        /^group must be a group ID or an object/,
      );
      refuses({ update: `{"new":${number}}` }, /^update\["new"\]/);
      assert.equal(read({ days: number }).days, number, 'if a word is valid, it is decoded as a word');
    });
  }
  test('JSON text may contain numbers such as 3.0 inside its strings', () => {
    const words = JSON.stringify([{ name: 'Room 3.0, \\"1e3\\" or [7.5]' }]);
    assert.deepEqual(read({ objects: words }).objects, [{ name: 'Room 3.0, \\"1e3\\" or [7.5]' }]);
  });
  test('a number is refused as text', () => {
    assert.throws(() => readParameters(operation, { name: 5 }), {
      code: 'BAD_REQUEST',
      message: /^name must be a string/,
    });
  });
});

describe('errors of parameters name the position of the invalid value', () => {
  for (const [fields, message] of [
    [{ ids: '[1, "two"]' }, /^ids\[1\] must be an integer/],
    [{ ids: '[-1]' }, /^ids\[0\] must not be negative/],
    [{ ids: '{}' }, /^ids must be a list/],
    [{ ids: '[1' }, /^ids is not valid JSON/],
    [{ kind: 'three' }, /^kind must be one of one, two/],
    [{ group: '"everyone"' }, /^group must be a group ID or an object/],
    [{ group: '{"direct_members": [1]}' }, /^group/],
    [{ update: '{"old": 1}' }, /^update/],
    [{ update: '{"new": 1, "why": 2}' }, /^update/],
    [{ folder: 'none' }, /^folder is not valid JSON/],
    [{ objects: '[{}]' }, /^objects\[0\]/],
    [{ objects: '[{"name":"a"},{"name":"b"},{"name":"c"}]' }, /^objects has too many elements \(limit: 2\)/],
    [{ name: 'a\0b' }, /^name must not contain NUL/],
  ] as const) {
    test(JSON.stringify(fields), () => refuses(fields, message));
  }
});

test('values are decoded by their declared type', () => {
  assert.deepEqual(
    read({ name: '"x"', ids: '[1,2]', is_on: 'true', kind: 'two', days: 'forever', folder: 'null', group: '7' }),
    { name: '"x"', ids: [1, 2], is_on: true, kind: 'two', days: 'forever', folder: null, group: 7 },
  );
  assert.equal(read({ days: '30' }).days, 30);
  assert.equal(read({ days: '"unlimited"' }).days, 'unlimited');
});
