import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { anyEvent } from '../kernel/define-event.ts';
import { textKind } from '../kernel/text-codec.ts';

/** Converts a schema of the library to JSON Schema for OpenAPI. */
export function jsonSchema(schema: v.GenericSchema): JsonSchema {
  if (textKind(schema) === 'file') {
    const description = v.getDescription(schema as never);
    return { type: 'string', format: 'binary', ...(description ? { description } : {}) };
  }
  const {
    $schema: _,
    $defs,
    ...converted
  } = toJsonSchema(schema as v.GenericSchema<never>, {
    errorMode: 'ignore',
    target: 'draft-2020-12',
    definitions: { Event: anyEvent },
  });
  if ($defs === undefined) return converted;
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
