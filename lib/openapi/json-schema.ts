import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { descriptionOf, preciseTimestamp } from '../base/schemas.ts';
import { textKind } from '../base/text-codec.ts';
import { anyEvent } from '../events/define-event.ts';
import { SHARED } from './components.ts';

const NAMES = new Map<unknown, string>(
  Object.entries({ ...SHARED, Event: anyEvent }).map(([name, one]) => [one, name]),
);
const FRACTION: unknown = preciseTimestamp.pipe[0];
const INT64 = { type: 'integer', format: 'int64' } as const;
const DOUBLE = { type: 'number', format: 'double' } as const;

export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `ReactionAdd` for `reaction/add`. */
export const pascalCase = (name: string) =>
  name.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export function sharedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(SHARED).map(([name, schema]) => [name, convert(schema, schema)]));
}

/** Converts a schema of the library to JSON Schema that code generators understand. */
export function jsonSchema(schema: v.GenericSchema): JsonSchema {
  if (textKind(schema) !== 'file') return convert(schema);
  const description = descriptionOf(schema);
  return { type: 'string', format: 'binary', ...(description ? { description } : {}) };
}

/** @param root a shared schema: no reference replaces it */
function convert(schema: v.GenericSchema, root?: unknown): JsonSchema {
  const { $schema, ...converted } = toJsonSchema(schema as v.GenericSchema<never>, {
    errorMode: 'ignore',
    target: 'draft-2020-12',
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const name = valibotSchema === root ? undefined : NAMES.get(valibotSchema);
      return name === undefined ? ADAPTATIONS[valibotSchema.type]?.(jsonSchema, valibotSchema) : refTo(name);
    },
  });
  return withoutMarks(converted);
}

/** Without the marks of `secret` and `forPrograms`, which JSON Schema does not know. */
const withoutMarks = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (/^is(Secret|ForPrograms)$/.test(key) ? undefined : value)));

type Convertible = v.GenericSchema & { literal?: unknown; options?: readonly unknown[] };

type Adapt = (converted: JsonSchema, schema: Convertible) => JsonSchema;

const adaptNullable: Adapt = ({ anyOf: [inner] = [], ...rest }) => ({ ...nullable(inner as JsonSchema), ...rest });

/** For generators that do not know `prefixItems`. */
const adaptTuple: Adapt = (converted) => ({ ...converted, items: {}, maxItems: converted.minItems });

const adaptObject: Adapt = (converted) => {
  // The only number in results that may have a fraction.
  if (converted.properties?.server_timestamp) Object.assign(converted.properties.server_timestamp, DOUBLE);
  if (converted.required?.length === 0) delete converted.required;
  return converted;
};

/** Replaces what generators refuse or misunderstand, such as `const: true`. By type of the schema. */
const ADAPTATIONS: Readonly<Record<string, Adapt>> = {
  // The only number in parameters that may have a fraction. Bare numbers of results are integers.
  number: (converted, schema) => ({ ...converted, ...(schema === FRACTION ? DOUBLE : INT64) }),
  literal: (converted, { literal }) =>
    typeof literal === 'boolean'
      ? { type: 'boolean', description: `Always ${literal}.` }
      : { ...converted, type: typeof literal === 'string' ? 'string' : 'integer' },
  null: () => ({ description: 'Always null.' }),
  picklist: (converted, { options }) =>
    options?.every((option) => typeof option === 'number') ? { ...converted, ...INT64 } : converted,
  nullable: adaptNullable,
  nullish: adaptNullable,
  optional: (converted) => {
    // Generators write a default of alternatives, or an object, as code that does not compile.
    if (converted.anyOf || (typeof converted.default === 'object' && !Array.isArray(converted.default)))
      delete converted.default;
    return converted;
  },
  tuple: adaptTuple,
  strict_tuple: adaptTuple,
  record: ({ propertyNames: _, ...converted }) => converted,
  object: adaptObject,
  loose_object: adaptObject,
  strict_object: adaptObject,
};

/** Adds null to the types of a schema. Copies a shared schema, since a reference cannot be null. */
function nullable({ $ref, ...given }: JsonSchema): JsonSchema {
  const shared = SHARED[$ref?.split('/').at(-1) ?? ''];
  const schema: JsonSchema = shared ? { ...convert(shared, shared), ...given } : given;
  const { type, anyOf, const: constant, ...rest } = schema;
  if (anyOf) return { ...schema, anyOf: [nullable(anyOf[0] as JsonSchema), ...anyOf.slice(1)] };
  if (typeof type !== 'string') return schema;
  const values = constant === undefined ? schema.enum : [constant];
  return { ...rest, type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}) };
}
