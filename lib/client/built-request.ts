import { BadRequest, DoesNotExist, NoSuchFile } from '../base/errors.ts';
import type { StreamedFile } from '../base/schemas.ts';
import type { DescribedOperation } from './described-operation.ts';
import { OPERATIONS } from './operation-list.ts';

/** In characters. Servers refuse longer URLs. A POST with `method=GET` in its form does the same as a GET. */
const MAX_QUERY = 4_000;

/** An HTTP request: method, path, and the parameters that are not in the path. */
export interface BuiltRequest {
  method: string;
  /** Below `/api/v1`. */
  path: string;
  form: URLSearchParams;
  file?: Blob | StreamedFile | undefined;
}

interface Parameters {
  /** Checks and returns a path parameter. */
  read(name: string): unknown;
  /** Whether a text of this parameter goes as JSON: the server would read it as another value, or refuses texts. */
  isQuoted(name: string): boolean;
}

/**
 * @throws BadRequest, RequestVariableMissing if a URL or a form cannot contain the parameters
 */
export function buildRequest(
  operation: DescribedOperation,
  parameters: Readonly<Record<string, unknown>>,
  { read, isQuoted }: Parameters,
): BuiltRequest {
  const { kinds } = operation;
  const { method, path, names } = addressOf(operation, read);
  const form = new URLSearchParams();
  let file: Blob | StreamedFile | undefined;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || names.has(name)) continue;
    // Servers read an empty list as the caller, for older clients. A list that a program computed must not mean that.
    if (name === 'principals' && Array.isArray(value) && value.length === 0)
      throw new BadRequest('principals must not be empty. Leave it out for yourself.');
    if (value instanceof Blob || (kinds[name] === 'file' && typeof value === 'object')) {
      file = value as Blob | StreamedFile;
      continue;
    }
    form.append(name, fieldOf(name, value, isQuoted));
  }
  const isLong = method === 'GET' && form.toString().length > MAX_QUERY;
  if (isLong) form.append('method', method);
  return { method: isLong ? 'POST' : method, path, form, file };
}

/** The text of a parameter in a form. */
function fieldOf(name: string, value: unknown, isQuoted: Parameters['isQuoted']): string {
  const text = typeof value === 'string' && !isQuoted(name) ? value : JSON.stringify(value);
  // A form would replace them by another character.
  if (/\p{Surrogate}/u.test(text)) throw new BadRequest(`${name} must not contain lone surrogates.`);
  return text;
}

/**
 * Method, path, and the names of the parameters in the path. Checks these parameters first: with an unexpected value,
 * the path could be that of another operation.
 */
function addressOf(operation: DescribedOperation, read: (name: string) => unknown) {
  const [{ method, path }] = operation.routes as [DescribedOperation['routes'][number]];
  const names = new Set<string>();
  const patterns = path.split('/');
  const segments = patterns.map((pattern) => {
    const name = parameterIn(pattern);
    if (name === undefined) return pattern;
    names.add(name);
    const value = read(name);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // HTTP clients remove empty segments and dot segments from a path.
    const parts = takesRest(pattern) ? text.split('/') : [text];
    if (parts.some((part) => /^\.{0,2}$/.test(part))) throw absent(operation, `${name} cannot be "${text}".`);
    return text;
  });
  const own = shapeOf(operation, path);
  for (const other of SHAPES) {
    const at = other.length === own.length ? other.findIndex((shape, index) => shape !== own[index]) : -1;
    if (at === -1 || rank(other[at]) > rank(own[at]) || !other.every((shape, index) => fits(shape, segments[index])))
      continue;
    throw absent(operation, `There is nothing with the ${parameterIn(patterns[at])} "${segments[at]}".`);
  }
  const encoded = segments.map((segment, at) =>
    takesRest(patterns[at]) ? segment.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(segment),
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

function shapeOf({ kinds }: DescribedOperation, path: string): Shape[] {
  return path.split('/').map((pattern) => {
    const name = parameterIn(pattern);
    if (name === undefined) return pattern;
    return kinds[name] === 'integer in path' ? DIGITS : TEXT;
  });
}

function parameterIn(pattern = ''): string | undefined {
  return /^\{(\w+)\*?\}$/.exec(pattern)?.[1];
}

/** A path parameter that may contain slashes. */
const takesRest = (pattern = '') => pattern.endsWith('*}');

const SHAPES = OPERATIONS.flatMap((operation) => operation.routes.map(({ path }) => shapeOf(operation, path)));
