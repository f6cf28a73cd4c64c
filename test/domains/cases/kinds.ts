import * as v from 'valibot';
import { layersOf, textKind } from '../../../lib/base/text-codec.ts';
import { type Operation, routesOf } from '../../../lib/internal.ts';
import type { Case, Params } from '../../world/case.ts';
import type { World } from '../../world/world.ts';

/** An operation with some of its cases. */
export interface OperationCases {
  operation: Operation;
  cases: readonly Case[];
}

/** The cases of a shell, in three parts. */
export interface Selection {
  /** The first success and the first refusal of each operation. */
  firsts: readonly OperationCases[];
  /** Cases with a kind that no earlier case has. */
  others: readonly OperationCases[];
  rest: readonly OperationCases[];
  /** Number of kinds in all cases. */
  kinds: number;
}

export const countOf = (operations: readonly OperationCases[]) =>
  operations.reduce((count, { cases }) => count + cases.length, 0);

/**
 * Chooses cases with all kinds of parameters, responses and errors, in the order of the tables. Kinds come from the
 * schemas, so a new one adds a case.
 * @param fixture computes parameters that contain IDs
 * @param shell with `readsOtherForms`, invalid values do not count as kinds
 */
export function select(
  operations: readonly OperationCases[],
  fixture: World,
  { transport, readsOtherForms = false }: { transport: string; readsOtherForms?: boolean },
): Selection {
  const kinds = new Set<string>();
  const isNew = (operation: Operation, one: Case) => {
    const before = kinds.size;
    for (const kind of kindsOf(operation, one, paramsIn(fixture, one)))
      if (!readsOtherForms || !kind.startsWith(INVALID)) kinds.add(kind);
    return kinds.size > before;
  };
  const playable = operations.map(({ operation, cases }) => ({
    operation,
    cases: cases.filter((one) => one.only === undefined || one.only === transport),
  }));
  const firsts = playable.map(({ operation, cases }) => ({
    operation,
    cases: [cases.find((one) => !one.refuses), cases.find((one) => one.refuses)].filter((one) => one !== undefined),
  }));
  for (const { operation, cases } of firsts) for (const one of cases) isNew(operation, one);
  const others = playable.map(({ operation, cases }, at) => ({
    operation,
    cases: cases.filter((one) => !firsts[at]?.cases.includes(one) && (one.only || isNew(operation, one))),
  }));
  const rest = playable.map(({ operation, cases }, at) => ({
    operation,
    cases: cases.filter((one) => !firsts[at]?.cases.includes(one) && !others[at]?.cases.includes(one)),
  }));
  return { firsts, others, rest, kinds: kinds.size };
}

/** Parameters that need values kept by the `given` of the case cannot be computed before it. */
function paramsIn(fixture: World, { call: [, params = {}] }: Case): Params {
  try {
    return typeof params === 'function' ? params(fixture) : params;
  } catch {
    return {};
  }
}

/**
 * Everything that a shell must handle in a case: how it sends each parameter, how it reads each field of the response,
 * and the error. Derived from the schemas of the operation.
 */
function kindsOf(operation: Operation, { refuses, development, mail }: Case, params: Params): string[] {
  const [route] = routesOf(operation);
  const place = (name: string) =>
    route?.path.includes(`{${name}`) ? 'path' : route?.method === 'GET' ? 'query' : 'body';
  const kinds = Object.entries(params).map(([name, value]) => {
    const schema = operation.params[name];
    if (!schema) return `unknown parameter in ${place(name)}`;
    const form = value === undefined || v.is(schema, value) ? formOf(value) : INVALID;
    return `${form} for ${textKind(schema)} ${shapeOf(schema)} in ${place(name)}`;
  });
  if (development) kinds.push('development mode');
  if (mail) kinds.push('mail');
  if (refuses) kinds.push(`error ${refuses.status ?? 400} ${refuses.code}`);
  else {
    const { entries = {} } = operation.result as Partial<Schema>;
    kinds.push(...Object.values(entries).map((field) => `answer ${shapeOf(field)}`));
  }
  return kinds;
}

const INVALID = 'invalid value';

/** Strings are sent as they are, other values as JSON. */
const formOf = (value: unknown) => (value === null ? 'null' : typeof value === 'string' ? 'text' : 'value');

interface Schema {
  type: string;
  entries?: Record<string, v.GenericSchema>;
  item?: v.GenericSchema;
  value?: v.GenericSchema;
  options?: readonly v.GenericSchema[];
}

/** The form of the values that a schema accepts, without limits and names. Deeper values are sent inside JSON. */
function shapeOf(schema: v.GenericSchema, depth = 2): string {
  const layers = layersOf(schema);
  const { type, entries, item, value, options } = layers.at(-1) as unknown as Schema;
  const isNullable = layers.some((layer) => layer.type === 'nullable' || layer.type === 'nullish');
  const inner = entries ? Object.values(entries) : type === 'union' ? (options ?? []) : [item ?? value ?? []].flat();
  const shapes = depth === 0 ? [] : [...new Set(inner.map((one) => shapeOf(one, depth - 1)))].sort();
  return `${type}${shapes.length > 0 ? `(${shapes.join('|')})` : ''}${isNullable ? ' or null' : ''}`;
}
