import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { choice, either, flag, id, ids, integer, list, text } from '../../lib/base/schemas.ts';
import { decodeText, encodeText } from '../../lib/base/text-codec.ts';
import { catalogue, type Operation } from '../../lib/internal.ts';

const there = (schema: v.GenericSchema, value: unknown) => decodeText('it', schema, encodeText(schema, value));

test('text is encoded unchanged, whatever its content', () => {
  for (const value of ['', 'x', '5', 'true', 'null', '"quoted"', '[1]', ' a ', '{}']) {
    assert.equal(encodeText(text(), value), value);
    assert.equal(there(text(), value), value);
  }
});

test('B2: a choice can be a JSON string', () => {
  const policy = choice(['inherit', 'allow', '"']);
  assert.equal(decodeText('it', policy, 'inherit'), 'inherit');
  assert.equal(decodeText('it', policy, '"inherit"'), 'inherit');
  assert.equal(decodeText('it', v.optional(v.nullable(policy)), '"allow"'), 'allow');
  assert.equal(decodeText('it', policy, '"other"'), '"other"');
  assert.equal(decodeText('it', policy, '"'), '"');
  assert.equal(decodeText('it', policy, '"inherit'), '"inherit');
});

test('a number may have a fraction if the schema allows it, and 7.0 is not an integer', () => {
  assert.equal(decodeText('it', list(v.number()), '[1700000000.5, 7]')?.toString(), '1700000000.5,7');
  assert.ok(!v.is(ids, decodeText('it', ids, '[7.0]')));
  assert.ok(!v.is(ids, decodeText('it', ids, '[7.5]')));
});

test('values other than text are encoded as JSON', () => {
  assert.equal(encodeText(ids, [1, 2]), '[1,2]');
  assert.equal(encodeText(flag, true), 'true');
  assert.equal(encodeText(integer, 5), '5');
  assert.equal(encodeText(v.nullable(id), null), 'null');
});

test('a value that may be text or another type is decoded as it was encoded', () => {
  const word = either([text(), integer], 'must be a word or a number');
  const words = either([text(), list(text())], 'must be a word or words');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer(), fc.constantFrom('5', '"x"', 'null', '[1]')), (value) => {
      assert.deepEqual(there(word, value), value);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(fc.string()), fc.constantFrom('["a"]', '"a"')), (value) => {
      assert.deepEqual(there(words, value), value);
    }),
  );
});

test('optional, nullable and piped schemas are encoded like the schema inside', () => {
  for (const schema of [text(), v.optional(text()), v.optional(v.pipe(text(), v.description('x')), 'y')]) {
    assert.equal(there(schema, '5'), '5');
  }
  assert.deepEqual(there(v.optional(ids, []), [1]), [1]);
  assert.equal(there(v.optional(v.nullable(id)), null), null);
  assert.equal(there(v.optional(choice(['a', 'b'])), 'a'), 'a');
  assert.equal(there(choice([100, 200]), 100), 100);
});

test('nullable text encodes null as the word null, and other text unchanged', () => {
  const welcome = v.optional(v.pipe(v.nullable(text(5)), v.description('x')), null);
  assert.equal(there(welcome, null), null);
  for (const value of ['', '"null"', 'nul', 'NULL']) assert.equal(there(welcome, value), value);
});

test('only decimal digits are decoded as an integer', () => {
  for (const raw of ['5.0', '1e3', ' 5', '+5', '0x5', '']) {
    assert.throws(() => decodeText('it', integer, raw), { code: 'BAD_REQUEST', message: 'it must be an integer.' });
  }
  assert.equal(decodeText('it', integer, '-5'), -5);
});

test('a word named by a schema is decoded with or without quotes', () => {
  const idle = either([integer, v.literal('mobile')], 'must be seconds or mobile');
  assert.equal(decodeText('it', idle, 'mobile'), 'mobile');
  assert.equal(decodeText('it', idle, '"mobile"'), 'mobile');
  assert.equal(decodeText('it', idle, '600'), 600);
});

test('path parameters of every operation are text or integers', () => {
  for (const operation of catalogue as readonly Operation[]) {
    const paths = [operation.http].flat();
    for (const [, name = ''] of paths.join(' ').matchAll(/\{(\w+)\*?\}/g)) {
      const schema = operation.params[name] as v.GenericSchema;
      const value = v.is(schema, 7) ? 7 : 'seven';
      assert.equal(there(schema, value), value, `${operation.name} ${name}`);
    }
  }
});
