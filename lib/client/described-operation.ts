import { DoesNotExist, NoSuchFile } from '../base/errors.ts';
import { textKind } from '../base/text-codec.ts';
import { type Operation, routesOf } from '../operation/operation.ts';

/** Encoding of a parameter: text as it is, others as JSON. */
type ParameterKind = ReturnType<typeof textKind>;

/** The parts of an operation that a remote caller needs, without schemas. */
export interface DescribedOperation {
  /** Group and action, for example `messages.send`. */
  readonly name: string;
  /** The current route first, then older ones. */
  readonly routes: readonly { method: string; path: string }[];
  /** Read it with `kindOf`. A list may also have parameters of other operations. */
  readonly kinds: Readonly<Record<string, ParameterKind>>;
  /** A long poll. */
  readonly isLong: boolean;
  /** The error for an object that does not exist: `NoSuchFile`, status 404 or status 400. */
  readonly absence: 'file' | '404' | '400';
}

/** Without an entry for the name, that for all names with its first or last word: `can_*`, `*_group`. */
export function kindOf(kinds: DescribedOperation['kinds'], name: string): ParameterKind {
  const words = name.split('_');
  return kinds[name] ?? kinds[`${words[0]}_*`] ?? kinds[`*_${words.at(-1)}`] ?? 'text';
}

/** The parts of a declaration that a remote caller needs. */
export function describe(operation: Operation): DescribedOperation {
  const kinds: Record<string, ParameterKind> = {};
  for (const [name, schema] of Object.entries(operation.params)) kinds[name] = textKind(schema);
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
  t: 'text',
  i: 'integer',
  j: 'json',
  m: 'text or json',
  f: 'file',
};

/** `i:user_id,limit f:file`: parameters by kind. */
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

/** The first kind of each parameter name. Few names have several. */
function usualKinds(operations: readonly DescribedOperation[]): Record<string, ParameterKind> {
  const usual: Record<string, ParameterKind> = {};
  for (const { kinds } of operations) for (const [name, kind] of Object.entries(kinds)) usual[name] ??= kind;
  return usual;
}

/** An entry for names with a common word must save this many entries. */
const LEAST_SAVED = 3;

/** Names that `kindOf` does not find by their first or last word, and these words. */
function shortened(usual: Readonly<Record<string, ParameterKind>>): Record<string, ParameterKind> {
  const sharing = new Map<string, string[]>();
  for (const name of Object.keys(usual)) {
    const words = name.split('_');
    for (const word of [`${words[0]}_*`, `*_${words.at(-1)}`]) sharing.set(word, [...(sharing.get(word) ?? []), name]);
  }
  const kinds: Record<string, ParameterKind> = {};
  for (const [word, names] of [...sharing].sort(([, a], [, b]) => b.length - a.length)) {
    const missed = (found: typeof kinds) => names.filter((name) => kindOf(found, name) !== usual[name]).length;
    for (const kind of new Set(names.map((name) => usual[name] as ParameterKind)))
      if (missed(kinds) - missed({ ...kinds, [word]: kind }) >= LEAST_SAVED) kinds[word] = kind;
  }
  for (const [name, kind] of Object.entries(usual)) if (kindOf(kinds, name) !== kind) kinds[name] = kind;
  return kinds;
}

/**
 * The lines of `operation-list.ts`. The first has the usual kinds of parameters without text. Each other line is an
 * operation: name, routes, parameters of another kind than usual, and flags if they are not `400`.
 */
export function linesOf(operations: readonly DescribedOperation[]): string[] {
  const usual = usualKinds(operations);
  const lines = operations.map(({ name, routes, kinds, isLong, absence }) => {
    const unusual = Object.entries(kinds).filter(([parameter, kind]) => kind !== usual[parameter]);
    const addresses = routes.map(({ method, path }) => `${method} ${path}`);
    const manner = `${isLong ? 'long ' : ''}${absence}`;
    const fields = [name, addresses.join(','), writeKinds(Object.fromEntries(unusual)), manner === '400' ? '' : manner];
    return fields.join('|').replace(/\|+$/, '');
  });
  return [writeKinds(shortened(usual)), ...lines];
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
    const absence = manner.replace('long ', '') as DescribedOperation['absence'];
    return { name, routes, kinds: readKinds(unusual, usual), isLong: manner.startsWith('long '), absence };
  });
}
