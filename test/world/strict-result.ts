import * as v from 'valibot';

interface AnySchema {
  type: string;
  entries?: Record<string, AnySchema>;
  item?: AnySchema;
  items?: AnySchema[];
  wrapped?: AnySchema;
  options?: AnySchema[];
  value?: AnySchema;
  pipe?: AnySchema[];
}

/** Errors in a response, including keys that its schema does not name. Empty if there are none. */
export function faultsOf(schema: v.GenericSchema, answer: unknown): string[] {
  const parsed = v.safeParse(schema, answer);
  if (!parsed.success) return parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
  return unknownKeys(schema as unknown as AnySchema, answer, 'answer');
}

function unknownKeys(schema: AnySchema, value: unknown, place: string): string[] {
  if (value === null || value === undefined) return [];
  switch (schema.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object': {
      const entries = schema.entries ?? {};
      return Object.entries(value).flatMap(([key, one]) => {
        const entry = entries[key];
        if (entry) return unknownKeys(entry, one, `${place}.${key}`);
        return schema.type === 'loose_object' ? [] : [`${place}.${key} is not in the schema`];
      });
    }
    case 'array':
      return (value as unknown[]).flatMap((one, at) => unknownKeys(schema.item as AnySchema, one, `${place}[${at}]`));
    case 'record':
      return Object.entries(value).flatMap(([key, one]) =>
        unknownKeys(schema.value as AnySchema, one, `${place}.${key}`),
      );
    case 'optional':
    case 'nullable':
    case 'nullish':
      return unknownKeys(schema.wrapped as AnySchema, value, place);
    case 'union': {
      const fitting = (schema.options ?? []).filter((option) => v.is(option as unknown as v.GenericSchema, value));
      const faults = fitting.map((option) => unknownKeys(option, value, place));
      return faults.find((one) => one.length === 0) ?? faults[0] ?? [];
    }
    default:
      return [];
  }
}
