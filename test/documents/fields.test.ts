import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalogue, type Operation, registered } from '../../lib/internal.ts';
import { declaredDescription, schemaDescription } from './field-descriptions.ts';
import { GLOSSARY } from './field-glossary.ts';
import { GENERATED_TYPES } from './generated-types.ts';
import { readTypes } from './read-types.ts';
import { undescribedFields } from './undescribed-fields.ts';

const generated = readFileSync(new URL(`../../${GENERATED_TYPES}`, import.meta.url), 'utf8');

test('every field of parameters, answers, events and the state has a description, at any depth', () => {
  const { undescribed, described } = undescribedFields(generated);
  assert.deepEqual(undescribed, []);
  assert.ok(described > 2_000, `only ${described} fields were found`);
});

test('a field without a comment is found', () => {
  const text =
    'export interface Events {\n  /** It. */\n  message: {\n    /** Said. */ id: number;\n    name: string;\n  };\n}';
  assert.deepEqual(undescribedFields(text), { undescribed: ['5: name'], described: 2 });
});

test('what is read from a declaration is what the schema says', () => {
  const { checker, members } = readTypes();
  const wrong: string[] = [];
  let compared = 0;
  const compare = (kind: string, name: string, entries: object) => {
    const type = members(kind).get(name);
    for (const property of type ? checker.getPropertiesOfType(type) : []) {
      const schema = (entries as Record<string, never>)[property.name];
      const said = schema && schemaDescription(schema);
      const found = declaredDescription(checker, property);
      if (said !== undefined && found !== undefined && ++compared && said !== found)
        wrong.push(`${name}.${property.name}: ${found}, not ${said}`);
    }
  };
  for (const { name, params, result } of catalogue as readonly Operation[]) {
    compare('Parameters', name, params);
    compare('Answers', name, (result as { entries?: object }).entries ?? {});
  }
  for (const { eventName, fields } of registered.events) compare('Events', eventName, fields);
  assert.deepEqual(wrong, []);
  assert.ok(compared > 500, `only ${compared} descriptions were compared`);
});

test('every entry of the glossary is used', () => {
  const used = new Set<string>();
  for (const [, text, name] of generated.matchAll(/\/\*\* (.*) \*\/\n +(\w+)\??:/g)) used.add(`${name}: ${text}`);
  const unused = Object.entries(GLOSSARY).filter(([name, text]) => !used.has(`${name}: ${text}`));
  assert.deepEqual(unused, []);
});
