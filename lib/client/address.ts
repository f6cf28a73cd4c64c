import { BadRequest, DoesNotExist, NoSuchFile } from '../base/errors.ts';
import { type DescribedOperation, routesOf } from './described-operation.ts';

/** Method and path (below `/api/v1`) of a call, and the names of the parameters in the path. */
export interface Address {
  method: string;
  path: string;
  names: ReadonlySet<string>;
}

/**
 * The address of a call. Checks the path parameters first: with an unexpected value, the path could be that of
 * another operation.
 * @param all all operations of the server
 * @param read checks and returns a path parameter
 * @throws BadRequest, RequestVariableMissing, as a session in process does
 */
export function addressOf(
  operation: DescribedOperation,
  all: readonly DescribedOperation[],
  read: (name: string) => unknown,
): Address {
  const [{ method, path }] = routesOf(operation) as [{ method: string; path: string }];
  const names = new Set<string>();
  const segments = path.split('/').map((segment) => {
    const name = parameterIn(segment);
    if (name === undefined) return segment;
    names.add(name);
    const value = read(name);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // HTTP clients remove empty segments and dot segments from a path.
    const parts = takesRest(segment) ? text.split('/') : [text];
    if (parts.some((part) => /^\.{0,2}$/.test(part))) throw absent(operation, `${name} cannot be "${text}".`);
    return text;
  });
  const own = shapeOf(operation, path);
  for (const other of allShapes(all)) {
    const at = other.length === own.length ? other.findIndex((shape, index) => shape !== own[index]) : -1;
    if (at === -1 || rank(other[at]) > rank(own[at]) || !other.every((shape, index) => fits(shape, segments[index])))
      continue;
    throw absent(operation, `There is nothing with the ${parameterIn(path.split('/')[at])} "${segments[at]}".`);
  }
  const encoded = segments.map((segment, at) =>
    takesRest(path.split('/')[at]) ? segment.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(segment),
  );
  return { method, path: encoded.join('/'), names };
}

/** The error of the operation for an object that does not exist. */
function absent({ absence }: DescribedOperation, message: string): BadRequest {
  if (absence === 'file') return new NoSuchFile();
  return absence === '404' ? new DoesNotExist(message) : new BadRequest(message);
}

/** A path segment: a fixed word or a parameter. Servers match words before digits, and digits before other text. */
type Shape = string | typeof DIGITS | typeof TEXT;
const DIGITS = Symbol('digits');
const TEXT = Symbol('text');

const rank = (shape: Shape | undefined) => (shape === TEXT ? 2 : shape === DIGITS ? 1 : 0);

function fits(shape: Shape, segment = ''): boolean {
  if (shape === TEXT) return true;
  return shape === DIGITS ? /^[0-9]+$/.test(segment) : shape === segment;
}

const shapes = new WeakMap<readonly DescribedOperation[], readonly (readonly Shape[])[]>();

/** The shapes of all addresses, computed on first use. */
function allShapes(all: readonly DescribedOperation[]): readonly (readonly Shape[])[] {
  let known = shapes.get(all);
  if (!known) {
    known = all.flatMap((operation) => routesOf(operation).map(({ path }) => shapeOf(operation, path)));
    shapes.set(all, known);
  }
  return known;
}

function shapeOf(operation: DescribedOperation, path: string): Shape[] {
  return path.split('/').map((segment) => {
    const name = parameterIn(segment);
    if (name === undefined) return segment;
    return operation.kinds[name] === 'integer' ? DIGITS : TEXT;
  });
}

const parameterIn = (segment = ''): string | undefined => /^\{(\w+)\*?\}$/.exec(segment)?.[1];

/** A path parameter that may contain slashes. */
const takesRest = (segment = '') => segment.endsWith('*}');
