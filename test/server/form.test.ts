import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadRequest } from '../../lib/internal.ts';
import { formText, MAX_FIELD_NAME, MAX_FIELDS, noFields, queryText, readFields } from '../../server/form.ts';
import { anyText } from '../support/any-text.ts';

const read = (text: string) => ({ ...readFields(text, noFields()) });

test('form fields are split and decoded, and the last of repeated names counts', () => {
  assert.deepEqual(read('a=1&b=x+y%21&a=2&&c&=d&e='), { a: '2', b: 'x y!', c: '', '': 'd', e: '' });
  assert.deepEqual(read('a=b=c'), { a: 'b=c' });
});

test('an urlencoded form is decoded as it was written', () => {
  fc.assert(
    fc.property(fc.dictionary(anyText({ maxLength: 20 }), anyText()), (fields) => {
      const written = new URLSearchParams(fields).toString();
      assert.deepEqual({ ...readFields(written, noFields()) }, { ...fields });
    }),
  );
});

test('fields named like properties of the object prototype are ordinary fields', () => {
  const fields = readFields('__proto__=1&constructor=2&toString=3', noFields());
  assert.deepEqual(Object.keys(fields), ['__proto__', 'constructor', 'toString']);
  assert.equal(Object.getPrototypeOf(fields), null);
});

test('invalid escapes and invalid UTF-8 are refused', () => {
  for (const text of ['a=%', 'a=%f', 'a=%zz', '%ff=1', 'a=%c3%28', 'a=%ed%a0%80']) {
    assert.throws(() => read(text), BadRequest, text);
  }
  assert.throws(() => formText(Buffer.from([0x61, 0x3d, 0xff])), BadRequest);
});

test('a query with UTF-8 bytes is decoded, and invalid UTF-8 is refused', () => {
  assert.equal(queryText(Buffer.from('a=ü').toString('latin1')), 'a=ü');
  assert.throws(() => queryText('a=\u00ff'), BadRequest);
});

test('the number of fields and the length of a name have limits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=1`).join('&');
  assert.equal(Object.keys(read(many(MAX_FIELDS))).length, MAX_FIELDS);
  assert.throws(() => read(many(MAX_FIELDS + 1)), BadRequest);
  assert.throws(() => read(`${'n'.repeat(MAX_FIELD_NAME + 1)}=1`), BadRequest);
});

// With quadratic work, this would take hours.
test('a form of a million separators is empty, and half a million fields are refused', () => {
  assert.deepEqual(read('&'.repeat(1_000_000)), {});
  assert.throws(() => read('a&'.repeat(500_000)), BadRequest);
});
