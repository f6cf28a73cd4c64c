import { DoesNotExist, NoSuchFile } from '../base/errors.ts';
import { textKind } from '../base/text-codec.ts';
import { type Operation, routesOf } from '../operation/operation.ts';

/** What a remote caller must know of a parameter. Values other than texts go as JSON. */
type ParameterKind = 'text' | 'text or json' | 'integer in path' | 'file';

/** The parts of an operation that a remote caller needs, without schemas. */
export interface DescribedOperation {
  /** Group and action, for example `messages.send`. */
  readonly name: string;
  /** The current route first, then older ones. */
  readonly routes: readonly { method: string; path: string }[];
  /** Without an entry: text, or no parameter. A list may also have parameters of other operations. */
  readonly kinds: Readonly<Record<string, ParameterKind>>;
  /** A long poll. */
  readonly isLong: boolean;
  /** The error for an object that does not exist: `NoSuchFile`, status 404 or status 400. */
  readonly absence: 'file' | '404' | '400';
}

/** The parts of a declaration that a remote caller needs. */
export function describe(operation: Operation): DescribedOperation {
  const kinds: Record<string, ParameterKind> = {};
  const routes = routesOf(operation);
  for (const [name, schema] of Object.entries(operation.params)) {
    const kind = textKind(schema);
    const isInPath = routes.some(({ path }) => path.includes(`{${name}}`));
    if (kind === 'integer') kinds[name] = isInPath ? 'integer in path' : 'text';
    else kinds[name] = kind === 'json' ? 'text' : kind;
  }
  const { errors } = operation;
  return {
    name: operation.name,
    routes,
    kinds,
    isLong: operation.effect === 'poll',
    absence: errors.includes(NoSuchFile) ? 'file' : errors.includes(DoesNotExist) ? '404' : '400',
  };
}

/** Their names say that they are integers. */
const IDS_IN_PATH = /\{(\w+_id)\}/g;

const LETTERS: Readonly<Record<string, ParameterKind>> = {
  t: 'text',
  m: 'text or json',
  f: 'file',
};

/** `m:to,anchor f:file`: parameters by kind, without IDs in the path. */
function writeKinds(kinds: Readonly<Record<string, ParameterKind>>): string {
  const parts = Object.entries(LETTERS).flatMap(([letter, kind]) => {
    const names = Object.keys(kinds).filter((name) => kinds[name] === kind);
    return names.length > 0 ? [`${letter}:${names.join(',')}`] : [];
  });
  return parts.join(' ');
}

function readKinds(text: string, usual: Readonly<Record<string, ParameterKind>> | null): Record<string, ParameterKind> {
  const kinds: Record<string, ParameterKind> = Object.create(usual);
  for (const part of text === '' ? [] : text.split(' ')) {
    for (const name of part.slice(2).split(',')) kinds[name] = LETTERS[part[0] as string] as ParameterKind;
  }
  return kinds;
}

/** The first kind of each parameter name outside of paths. Few names have several. */
function usualKinds(operations: readonly DescribedOperation[]): Record<string, ParameterKind> {
  const usual: Record<string, ParameterKind> = {};
  for (const { kinds } of operations)
    for (const [name, kind] of Object.entries(kinds)) if (kind !== 'integer in path') usual[name] ??= kind;
  return usual;
}

/**
 * The lines of `operation-list.ts`. The first has the usual kinds of parameters without text. Each other line is an
 * operation: name, routes, parameters of another kind than usual, and flags if they are not `400`.
 */
export function linesOf(operations: readonly DescribedOperation[]): string[] {
  const usual = usualKinds(operations);
  const others = Object.entries(usual).filter(([, kind]) => kind !== 'text');
  const lines = operations.map(({ name, routes, kinds, isLong, absence }) => {
    const unusual = Object.entries(kinds).filter(
      ([parameter, kind]) => kind !== 'integer in path' && kind !== usual[parameter],
    );
    const addresses = routes.map(({ method, path }) => `${method} ${path}`);
    const manner = `${isLong ? 'long ' : ''}${absence}`;
    const fields = [name, addresses.join(','), writeKinds(Object.fromEntries(unusual)), manner === '400' ? '' : manner];
    return fields.join('|').replace(/\|+$/, '');
  });
  return [writeKinds(Object.fromEntries(others)), ...lines];
}

export function readLines(lines: readonly string[]): DescribedOperation[] {
  const [first = '', ...others] = lines;
  const usual = readKinds(first, null);
  return others.map((line) => {
    const [name = '', addresses = '', unusual = '', manner = '400'] = line.split('|');
    const routes = addresses.split(',').map((route) => {
      const [method = '', path = ''] = route.split(' ');
      return { method, path };
    });
    const kinds = readKinds(unusual, usual);
    for (const [, id = ''] of addresses.matchAll(IDS_IN_PATH)) kinds[id] = 'integer in path';
    const absence = manner.replace('long ', '') as DescribedOperation['absence'];
    return { name, routes, kinds, isLong: manner.startsWith('long '), absence };
  });
}
