/** Encoding of a parameter: text as it is, others as JSON. */
export type ParameterKind = 'text' | 'integer' | 'json' | 'text or json' | 'file';

/** The parts of an operation that a remote caller needs, without schemas. */
export interface DescribedOperation {
  /** Group and action, for example `messages.send`. */
  readonly name: string;
  /** For example `POST /messages`. The current route first, then older ones. */
  readonly routes: readonly string[];
  readonly kinds: Readonly<Record<string, ParameterKind>>;
  /** A long poll. */
  readonly isLong: boolean;
  /** The error for an object that does not exist: `NoSuchFile`, status 404 or status 400. */
  readonly absence: 'file' | '404' | '400';
}

export function routesOf({ routes }: DescribedOperation): { method: string; path: string }[] {
  return routes.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path };
  });
}

const LETTERS: Readonly<Record<string, ParameterKind>> = {
  t: 'text',
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
  return [name, routes.join(','), byKind.join(' '), `${isLong ? 'long ' : ''}${absence}`].join('|');
}

export function readLine(line: string): DescribedOperation {
  const [name = '', routes = '', byKind = '', manner = ''] = line.split('|');
  const kinds: Record<string, ParameterKind> = Object.create(null);
  for (const part of byKind === '' ? [] : byKind.split(' ')) {
    for (const parameter of part.slice(2).split(',')) kinds[parameter] = LETTERS[part[0] as string] as ParameterKind;
  }
  const absence = manner.replace('long ', '') as DescribedOperation['absence'];
  return { name, routes: routes.split(','), kinds, isLong: manner.startsWith('long '), absence };
}
