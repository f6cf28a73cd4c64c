import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GLOSSARY } from './field-glossary.ts';
import { GENERATED_TYPES } from './generated-types.ts';
import { undescribedFields } from './undescribed-fields.ts';

const generated = readFileSync(new URL(`../../${GENERATED_TYPES}`, import.meta.url), 'utf8');

test('every field of parameters, responses, events and state has a description, at any depth', () => {
  const { undescribed, described } = undescribedFields(generated);
  assert.deepEqual(undescribed, []);
  assert.ok(described > 2_000, `only ${described} fields were found`);
});

test('undescribedFields finds a field without a comment', () => {
  const text =
    'export interface Events {\n  /** It. */\n  message: {\n    /** Said. */ id: number;\n    name: string;\n  };\n}';
  assert.deepEqual(undescribedFields(text), { undescribed: ['5: name'], described: 2 });
});

test('every entry of the glossary is used', () => {
  const used = new Set<string>();
  for (const [, text, name] of generated.matchAll(/\/\*\* (.*) \*\/\n +(\w+)\??:/g)) used.add(`${name}: ${text}`);
  const unused = Object.entries(GLOSSARY).filter(([name, text]) => !used.has(`${name}: ${text}`));
  assert.deepEqual(unused, []);
});
