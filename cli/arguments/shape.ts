import * as v from 'valibot';

/** The type of a parameter, for the command line. */
export interface Shape {
  kind: 'text' | 'integer' | 'boolean' | 'list' | 'json' | 'file';
  /** For the help: `integer`, `add|remove`, `list of texts`. */
  type: string;
  isOptional: boolean;
  description: string | undefined;
  /** The default value. */
  fallback?: unknown;
  /** The element type of a list, or of a parameter that takes a value or a list. */
  item?: v.GenericSchema;
}

interface AnySchema extends v.GenericSchema {
  wrapped?: AnySchema;
  item?: AnySchema;
  options?: readonly unknown[];
  literal?: unknown;
  default?: unknown;
}

export function shapeOf(schema: v.GenericSchema): Shape {
  let bare = schema as AnySchema;
  let description = v.getDescription(bare as never);
  let isOptional = false;
  let isNullable = false;
  let fallback: unknown;
  while (bare.wrapped) {
    isOptional ||= bare.type === 'optional' || bare.type === 'nullish';
    isNullable ||= bare.type === 'nullable' || bare.type === 'nullish';
    fallback ??= bare.default;
    bare = bare.wrapped;
    description ??= v.getDescription(bare as never);
  }
  const type = typeName(bare) + (isNullable ? ' or null' : '');
  // A flag cannot be null, so a nullable boolean is JSON.
  const kind = isNullable && kindOf(bare) === 'boolean' ? 'json' : kindOf(bare);
  const item = itemOf(bare);
  return {
    kind,
    type,
    isOptional,
    description,
    ...(fallback === undefined ? {} : { fallback }),
    ...(item ? { item } : {}),
  };
}

function kindOf(bare: AnySchema): Shape['kind'] {
  switch (bare.type) {
    case 'string':
      return 'text';
    case 'number':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'blob':
    case 'custom':
      return 'file';
    case 'array':
      return 'list';
    case 'picklist':
      return bare.options?.every((option) => typeof option === 'string') ? 'text' : 'integer';
    case 'union':
      // "(string)[] or (integer)[]" counts as a list.
      return (bare.options as AnySchema[]).every((option) => kindOf(option) === 'list') ? 'list' : 'json';
    default:
      return 'json';
  }
}

function itemOf(bare: AnySchema): v.GenericSchema | undefined {
  if (bare.type === 'array') return bare.item;
  if (bare.type !== 'union') return undefined;
  const items = (bare.options as AnySchema[]).flatMap((option) => itemOf(option) ?? []);
  return items.length > 1 ? v.union(items) : items[0];
}

function typeName(schema: AnySchema): string {
  let bare = schema;
  while (bare.wrapped) bare = bare.wrapped;
  switch (bare.type) {
    case 'string':
      return 'text';
    case 'number':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'blob':
    case 'custom':
      return 'path of a file, or - for stdin';
    case 'null':
      return 'null';
    case 'literal':
      return String(bare.literal);
    case 'picklist':
      return (bare.options ?? []).join('|');
    case 'array':
      return `list of ${plural(typeName(bare.item as AnySchema))}`;
    case 'union':
      return [...new Set((bare.options as AnySchema[]).map(typeName))].join(' or ');
    default:
      return 'JSON';
  }
}

function plural(type: string): string {
  return type === 'text' || type === 'integer' || type === 'boolean' ? `${type}s` : type;
}
