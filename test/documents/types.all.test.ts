import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalogue, type Operation, registered } from '../../lib/internal.ts';
import { declaredDescription, schemaDescription } from './field-descriptions.ts';
import { GENERATED_TYPES, generatedTypes } from './generated-types.ts';
import { readTypes } from './read-types.ts';
import { STATE_SCHEMAS, stateSchemas } from './state-schemas.ts';

// A separate file from the references: the compiler takes ten seconds to read the types.

const projectFile = (path: string) => new URL(`../../${path}`, import.meta.url);

test('the types of a session are up to date; `npm run documents` writes them', () => {
  const text = readFileSync(projectFile(GENERATED_TYPES), 'utf8');
  assert.ok(text === generatedTypes(), `${GENERATED_TYPES} does not match the declarations`);
});

test('descriptions in declarations match those of the schemas', () => {
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

test('the described state is up to date; `npm run documents` writes it', () => {
  const text = readFileSync(projectFile(STATE_SCHEMAS), 'utf8');
  assert.ok(text === stateSchemas(), `${STATE_SCHEMAS} is out of date`);
});
