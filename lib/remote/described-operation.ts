/** How a parameter travels: text as it is, all else as JSON. */
export type ParameterKind = 'text' | 'integer' | 'json' | 'text or json' | 'file';

/** What somebody far away has to know of an operation to call it: no schemas, and nothing of what it does. */
export interface DescribedOperation {
  /** Group and action, `messages.send`. */
  readonly name: string;
  /** `POST /messages`; its own before older ones. */
  readonly routes: readonly string[];
  readonly kinds: Readonly<Record<string, ParameterKind>>;
  /** Its answer may wait for as long as the server holds it. */
  readonly isLong: boolean;
  /** What is not there is refused as a file, with 404, or as any other bad request. */
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

/** One operation in a line, as `operation-list.ts` has them: name, routes, parameters by kinds, and how it is. */
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
