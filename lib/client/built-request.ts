import { BadRequest } from '../base/errors.ts';
import type { StreamedFile } from '../base/schemas.ts';
import { addressOf } from './address.ts';
import type { DescribedOperation } from './described-operation.ts';

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

/**
 * @param all all operations of the server
 * @param read checks and returns a path parameter
 * @throws BadRequest, RequestVariableMissing if a URL or a form cannot contain the parameters
 */
export function buildRequest(
  operation: DescribedOperation,
  all: readonly DescribedOperation[],
  parameters: Readonly<Record<string, unknown>>,
  read: (name: string) => unknown,
): BuiltRequest {
  const { kinds } = operation;
  const { method, path, names } = addressOf(operation, all, read);
  const form = new URLSearchParams();
  let file: Blob | StreamedFile | undefined;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || names.has(name)) continue;
    if (value instanceof Blob || (kinds[name] === 'file' && typeof value === 'object')) {
      file = value as Blob | StreamedFile;
      continue;
    }
    // As JSON, text is quoted and cannot be mistaken for a number or a list.
    const isPlain = typeof value === 'string' && (kinds[name] === 'text' || kinds[name] === undefined);
    const text = isPlain ? value : JSON.stringify(value);
    // A form would replace them by another character.
    if (/\p{Surrogate}/u.test(text)) throw new BadRequest(`${name} must not contain lone surrogates.`);
    form.append(name, text);
  }
  if (method === 'GET' && form.toString().length > MAX_QUERY) {
    form.append('method', method);
    return { method: 'POST', path, form, file };
  }
  return { method, path, form, file };
}
