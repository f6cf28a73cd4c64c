import * as v from 'valibot';
import { descriptionOf, isForPrograms, present } from '../../lib/internal.ts';

export interface Shape {
  kind: 'text' | 'integer' | 'boolean' | 'list' | 'json' | 'file';
  /** For the help: `integer`, `add|remove`, `list of texts`. */
  type: string;
  isOptional: boolean;
  /** Only the full help shows it. */
  isForPrograms?: boolean;
  description: string | undefined;
  fallback?: unknown;
  /** The element type of a list, or of a parameter that takes a value or a list. */
  item?: v.GenericSchema | undefined;
}

/** The fields of all kinds of schemas. */
export interface AnySchema extends v.GenericSchema {
  wrapped?: AnySchema;
  entries?: Record<string, AnySchema>;
  item?: AnySchema;
  value?: AnySchema;
  options?: readonly unknown[];
  literal?: unknown;
  default?: unknown;
}

export function shapeOf(schema: v.GenericSchema): Shape {
  let bare = schema as AnySchema;
  let description = descriptionOf(bare);
  let isOptional = false;
  let isNullable = false;
  let isMarked = isForPrograms(bare);
  let fallback: unknown;
  while (bare.wrapped) {
    isOptional ||= bare.type === 'optional' || bare.type === 'nullish';
    isNullable ||= bare.type === 'nullable' || bare.type === 'nullish';
    fallback ??= bare.default;
    bare = bare.wrapped;
    description ??= descriptionOf(bare);
    isMarked ||= isForPrograms(bare);
  }
  const { kind, type, item } = bareShape(bare);
  return {
    // A flag cannot be null, so a nullable boolean is JSON.
    kind: isNullable && kind === 'boolean' ? 'json' : kind,
    type: type + (isNullable ? ' or null' : ''),
    isOptional,
    isForPrograms: isMarked,
    description,
    fallback,
    item,
  };
}

type BareShape = Pick<Shape, 'kind' | 'type' | 'item'>;

function bareShape(schema: AnySchema): BareShape {
  if (schema.wrapped) return bareShape(schema.wrapped);
  const { type, item, options = [] } = schema;
  switch (type) {
    case 'string':
      return { kind: 'text', type: 'text' };
    case 'number':
      return { kind: 'integer', type: 'integer' };
    case 'boolean':
      return { kind: 'boolean', type };
    case 'blob':
    case 'custom':
      return { kind: 'file', type: 'path of a file, or - for stdin' };
    case 'null':
    case 'literal':
      return { kind: 'json', type: String(schema.literal ?? null) };
    case 'picklist':
      return {
        kind: options.every((option) => typeof option === 'string') ? 'text' : 'integer',
        type: options.join('|'),
      };
    case 'array': {
      const { type: each } = bareShape(present(item));
      return { kind: 'list', type: `list of ${/^(text|integer|boolean)$/.test(each) ? `${each}s` : each}`, item };
    }
    case 'union':
      return unionShape((options as AnySchema[]).map(bareShape));
    default:
      return { kind: 'json', type: 'JSON' };
  }
}

/** A list of texts or a list of integers counts as a list. */
function unionShape(shapes: readonly BareShape[]): BareShape {
  const items = shapes.flatMap((shape) => shape.item ?? []);
  return {
    kind: shapes.every(({ kind }) => kind === 'list') ? 'list' : 'json',
    type: [...new Set(shapes.map((shape) => shape.type))].join(' or '),
    item: items.length > 1 ? v.union(items) : items[0],
  };
}
