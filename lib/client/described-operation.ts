import { DoesNotExist, NoSuchFile } from '../base/errors.ts';
import { textKind } from '../base/text-codec.ts';
import { type Operation, routesOf } from '../operation/operation.ts';

/** Encoding of a parameter: text as it is, others as JSON. */
type ParameterKind = Exclude<ReturnType<typeof textKind>, 'text'>;

/** The parts of an operation that a remote caller needs, without schemas. */
export interface DescribedOperation {
  /** Group and action, for example `messages.send`. */
  readonly name: string;
  /** The current route first, then older ones. */
  readonly routes: readonly { method: string; path: string }[];
  /** By parameter. Text is not listed: every page loads the list. */
  readonly kinds: Readonly<Partial<Record<string, ParameterKind>>>;
  /** A long poll. */
  readonly isLong: boolean;
  /** The error for an object that does not exist: `NoSuchFile`, status 404 or status 400. */
  readonly absence: 'file' | '404' | '400';
}

/** The parts of a declaration that a remote caller needs. */
export function describe(operation: Operation): DescribedOperation {
  const kinds: Record<string, ParameterKind> = {};
  for (const [name, schema] of Object.entries(operation.params)) {
    const kind = textKind(schema);
    if (kind !== 'text') kinds[name] = kind;
  }
  const { errors } = operation;
  return {
    name: operation.name,
    routes: routesOf(operation),
    kinds,
    isLong: operation.longPoll === true,
    absence: errors.includes(NoSuchFile) ? 'file' : errors.includes(DoesNotExist) ? '404' : '400',
  };
}

const LETTERS: Readonly<Record<string, ParameterKind>> = {
  i: 'integer',
  j: 'json',
  m: 'text or json',
  f: 'file',
};

/** One line of `operation-list.ts`: name, routes, parameters by kind, and flags. */
export function lineOf({ name, routes, kinds, isLong, absence }: DescribedOperation): string {
  const byKind = Object.entries(LETTERS).flatMap(([letter, kind]) => {
    const names = Object.keys(kinds).filter((parameter) => kinds[parameter] === kind);
    return names.length > 0 ? [`${letter}:${names.join(',')}`] : [];
  });
  const addresses = routes.map(({ method, path }) => `${method} ${path}`);
  return [name, addresses.join(','), byKind.join(' '), `${isLong ? 'long ' : ''}${absence}`].join('|');
}

export function readLine(line: string): DescribedOperation {
  const [name = '', addresses = '', byKind = '', manner = ''] = line.split('|');
  const kinds: Record<string, ParameterKind> = Object.create(null);
  for (const part of byKind === '' ? [] : byKind.split(' ')) {
    for (const parameter of part.slice(2).split(',')) kinds[parameter] = LETTERS[part[0] as string] as ParameterKind;
  }
  const absence = manner.replace('long ', '') as DescribedOperation['absence'];
  const routes = addresses.split(',').map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path };
  });
  return { name, routes, kinds, isLong: manner.startsWith('long '), absence };
}
