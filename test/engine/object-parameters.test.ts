import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { readParameters } from '../../lib/engine/parameters.ts';
import { catalogue, decodeText, type Operation } from '../../lib/internal.ts';

interface Schema extends v.GenericSchema {
  wrapped?: Schema;
  pipe?: readonly Schema[];
  item?: Schema;
  options?: readonly Schema[];
  entries?: Record<string, Schema>;
}

/** Texts that are not objects, in the place of an object. */
const NO_OBJECTS = ['1', '[]', '[1]', '"x"', 'true', 'null'];

/**
 * A position of an object in the values of a schema: how to write another value there, and which other values are
 * valid.
 */
interface Place {
  write(inner: string): string;
  others: readonly Schema[];
}

const within = (place: Place, around: (inner: string) => string): Place => ({
  ...place,
  write: (inner) => around(place.write(inner)),
});

function placesOfObjects(schema: Schema, others: readonly Schema[] = []): Place[] {
  const inner = schema.wrapped ?? (schema.pipe?.[0] === schema ? undefined : schema.pipe?.[0]);
  if (inner) return placesOfObjects(inner, /null/.test(schema.type) ? [...others, v.null() as Schema] : others);
  if (schema.item) return placesOfObjects(schema.item).map((place) => within(place, (text) => `[${text}]`));
  if (schema.type === 'union') {
    const options = schema.options ?? [];
    return options.flatMap((option) => {
      const rest = options.filter((other) => other !== option);
      return placesOfObjects(option, [...others, ...rest]);
    });
  }
  const itself = { write: (text: string) => text, others };
  if (schema.type === 'record') return [itself];
  if (schema.type !== 'object' && schema.type !== 'strict_object') return [];
  const deeper = Object.entries(schema.entries ?? {}).flatMap(([key, entry]) =>
    placesOfObjects(entry).map((place) => within(place, (text) => `{${JSON.stringify(key)}:${text}}`)),
  );
  return [itself, ...deeper];
}

function objectParameters(): { operation: Operation; name: string; schema: Schema }[] {
  return (catalogue as readonly Operation[]).flatMap((operation) =>
    Object.entries(operation.params as Record<string, Schema>)
      .filter(([, schema]) => placesOfObjects(schema).length > 0)
      .map(([name, schema]) => ({ operation, name, schema })),
  );
}

/** Reads only this parameter, since others may be required. */
const refusalOf = (name: string, schema: Schema, text: string): unknown => {
  const only = { params: { [name]: schema } } as unknown as Operation;
  try {
    return readParameters(only, { [name]: text }, decodeText);
  } catch (error) {
    return error;
  }
};

test('the parameters under test include objects alone and in lists', () => {
  const names = new Set(objectParameters().map(({ operation, name }) => `${operation.name} ${name}`));
  for (const known of [
    'register client_capabilities',
    'register narrow',
    'subscriptions.add subscriptions',
    'subscriptions.updateProperties subscription_data',
    'channels.create can_subscribe_group',
    'channels.edit can_subscribe_group',
    'organization.edit can_resolve_topics_group',
  ]) {
    assert.ok(names.has(known), known);
  }
});

for (const { operation, name, schema } of objectParameters()) {
  test(`${operation.name}: a value that is not an object is refused in ${name}, with the expected type`, () => {
    for (const { write, others } of placesOfObjects(schema)) {
      for (const text of NO_OBJECTS) {
        if (others.some((other) => v.is(other, JSON.parse(text)))) continue;
        const given = write(text);
        const refusal = refusalOf(name, schema, given) as { code?: string; message: string };
        assert.equal(refusal.code, 'BAD_REQUEST', `${given} is accepted: ${JSON.stringify(refusal)}`);
        assert.ok(refusal.message.startsWith(name), refusal.message);
        assert.match(refusal.message, /must (be|have)|is not/, given);
        assert.doesNotMatch(refusal.message, /Invalid|Expected|received/, given);
      }
    }
  });
}
