import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { preciseTimestamp } from '../base/schemas.ts';
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
  const description = v.getDescription(schema as never);
  return { type: 'string', format: 'binary', ...(description ? { description } : {}) };
}

/** @param root a shared schema: no reference replaces it */
function convert(schema: v.GenericSchema, root?: unknown): JsonSchema {
  const { $schema, ...converted } = toJsonSchema(schema as v.GenericSchema<never>, {
    errorMode: 'ignore',
    target: 'draft-2020-12',
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const name = valibotSchema === root ? undefined : NAMES.get(valibotSchema);
      return name === undefined ? adapted(valibotSchema as Convertible, jsonSchema) : refTo(name);
    },
  });
  return withoutMarks(converted);
}

/** Without the marks of `secret` and `forPrograms`, which JSON Schema does not know. */
const withoutMarks = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (/^is(Secret|ForPrograms)$/.test(key) ? undefined : value)));

type Convertible = v.GenericSchema & { literal?: unknown; options?: readonly unknown[] };

/** Replaces what generators refuse or misunderstand, such as `const: true`. */
function adapted(schema: Convertible, converted: JsonSchema): JsonSchema | undefined {
  switch (schema.type) {
    case 'number':
      // The only number in parameters that may have a fraction. Bare numbers of results are integers.
      return { ...converted, ...(schema === FRACTION ? DOUBLE : INT64) };
    case 'literal':
      if (typeof schema.literal === 'boolean') return { type: 'boolean', description: `Always ${schema.literal}.` };
      return { ...converted, type: typeof schema.literal === 'string' ? 'string' : 'integer' };
    case 'null':
      return { description: 'Always null.' };
    case 'picklist':
      return schema.options?.every((option) => typeof option === 'number') ? { ...converted, ...INT64 } : converted;
    case 'nullable':
    case 'nullish': {
      const { anyOf = [], ...rest } = converted;
      return { ...nullable(anyOf[0] as JsonSchema), ...rest };
    }
    case 'optional':
      // Generators write a default of alternatives, or an object, as code that does not compile.
      if (converted.anyOf || (typeof converted.default === 'object' && !Array.isArray(converted.default)))
        delete converted.default;
      return converted;
    case 'tuple':
    case 'strict_tuple':
      // For generators that do not know `prefixItems`.
      return { ...converted, items: {}, maxItems: converted.minItems };
    case 'record':
      delete converted.propertyNames;
      return converted;
    case 'object':
    case 'loose_object':
    case 'strict_object':
      // The only number in results that may have a fraction.
      if (converted.properties?.server_timestamp) Object.assign(converted.properties.server_timestamp, DOUBLE);
      if (converted.required?.length === 0) delete converted.required;
      return converted;
    default:
      return undefined;
  }
}

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
