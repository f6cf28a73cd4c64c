import { DoesNotExist, NoSuchFile } from '../base/errors.ts';
import { textKind } from '../base/text-codec.ts';
import { type Operation, routesOf } from '../operation/operation.ts';

/** What a remote caller must know of a parameter. Values other than texts go as JSON. */
type ParameterKind = 'text' | 'text or json' | 'integer in path' | 'file';

/** The parts of an operation that a remote caller needs, without schemas. */
export interface DescribedOperation {
  /** Group and action, for example `messages.send`. */
  readonly name: string;
  /** Group and action, apart. */
  readonly path: readonly string[];
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
    path: operation.name.split('.'),
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

const METHODS: Readonly<Record<string, string>> = { G: 'GET', P: 'POST', A: 'PATCH', D: 'DELETE', U: 'PUT' };

/** How many segments a path has in common with the one before it. */
function commonSegments(path: string, before: string): number {
  const [own, other] = [path.split('/'), before.split('/')];
  const at = own.findIndex((segment, index) => segment !== other[index]);
  return at === -1 ? own.length : at;
}

/** `messages.edit`, after an operation of the same group `.edit`. */
function shortened(name: string, before: string): string {
  const group = name.slice(0, name.indexOf('.') + 1);
  return group !== '' && before.startsWith(group) ? name.slice(group.length - 1) : name;
}

/**
 * The lines of `operation-list.ts`. The first has the usual kinds of parameters without text. Each other line is an
 * operation: name, routes, parameters of another kind than usual, and flags if they are not `400`. Pages load the list,
 * so lines leave out what they have in common with earlier ones. A route is the letter of its method, the number of
 * segments in common, and the rest of its path.
 */
export function linesOf(operations: readonly DescribedOperation[]): string[] {
  const usual = usualKinds(operations);
  const others = Object.entries(usual).filter(([, kind]) => kind !== 'text');
  let before = '';
  const lines = operations.map(({ name, routes, kinds, isLong, absence }, index) => {
    const unusual = Object.entries(kinds).filter(
      ([parameter, kind]) => kind !== 'integer in path' && kind !== usual[parameter],
    );
    const addresses = routes.map(({ method, path }) => {
      const common = commonSegments(path, before);
      before = path;
      const [letter = ''] = Object.entries(METHODS).find(([, known]) => known === method) ?? [];
      return (
        letter +
        common +
        path
          .split('/')
          .slice(common)
          .map((segment) => `/${segment}`)
          .join('')
      );
    });
    const manner = `${isLong ? 'long ' : ''}${absence}`;
    const short = shortened(name, operations[index - 1]?.name ?? '');
    const fields = [
      short,
      addresses.join(','),
      writeKinds(Object.fromEntries(unusual)),
      manner === '400' ? '' : manner,
    ];
    return fields.join('|').replace(/\|+$/, '');
  });
  return [writeKinds(Object.fromEntries(others)), ...lines];
}

export function readLines(lines: readonly string[]): DescribedOperation[] {
  const [first = '', ...others] = lines;
  const usual = readKinds(first, null);
  let [group, before]: [group: string | undefined, before: string[]] = ['', ['']];
  return others.map((line) => {
    const [short = '', addresses = '', unusual = '', manner = '400'] = line.split('|');
    const name = short.startsWith('.') ? group + short : short;
    const path = name.split('.');
    [group] = path;
    const routes = addresses.split(',').map((route) => {
      const [common = '', ...rest] = route.slice(1).split('/');
      before = [...before.slice(0, Number(common)), ...rest];
      return { method: METHODS[route[0] as string] as string, path: before.join('/') };
    });
    const kinds = readKinds(unusual, usual);
    for (const { path } of routes) for (const [, id = ''] of path.matchAll(IDS_IN_PATH)) kinds[id] = 'integer in path';
    const absence = manner.replace('long ', '') as DescribedOperation['absence'];
    return { name, path, routes, kinds, isLong: manner.startsWith('long '), absence };
  });
}
