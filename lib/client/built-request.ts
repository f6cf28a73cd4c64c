import { BadRequest, DoesNotExist, NoSuchFile } from '../base/errors.ts';
import type { StreamedFile } from '../base/schemas.ts';
import { encodeText, textKind } from '../base/text-codec.ts';
import { catalogue } from '../catalogue.ts';
import { fileParameter, readParameter } from '../engine/parameters.ts';
import { type Operation, routesOf } from '../operation/operation.ts';
import { addressOf } from './address.ts';
import type { DescribedOperation, ParameterKind } from './described-operation.ts';

/** The parts of a declaration that a remote caller needs. */
export function describe(operation: Operation): DescribedOperation {
  const kinds: Record<string, ParameterKind> = {};
  for (const [name, schema] of Object.entries(operation.params.entries)) {
    kinds[name] = textKind(schema as Parameters<typeof textKind>[0]);
  }
  const { errors } = operation;
  return {
    name: operation.name,
    routes: routesOf(operation).map(({ method, path }) => `${method} ${path}`),
    kinds,
    isLong: operation.longPoll === true,
    absence: errors.includes(NoSuchFile) ? 'file' : errors.includes(DoesNotExist) ? '404' : '400',
  };
}

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

/** @throws BadRequest, RequestVariableMissing if a URL or a form cannot contain the parameters */
export function buildRequest(operation: Operation, parameters: Record<string, unknown>): BuiltRequest {
  const all = describedOperations();
  const own = all.find(({ name }) => name === operation.name) as DescribedOperation;
  const {
    method,
    path: filled,
    names: inPath,
  } = addressOf(own, all, (name) => readParameter(name, operation.params.entries[name], parameters[name]));
  const entries = operation.params.entries;
  const form = new URLSearchParams();
  let file: Blob | StreamedFile | undefined;
  const taken = fileParameter(operation)?.name;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || inPath.has(name)) continue;
    if (value instanceof Blob || (name === taken && typeof value === 'object')) {
      file = value as Blob | StreamedFile;
      continue;
    }
    const schema = entries[name];
    const text = schema ? encodeText(schema, value) : typeof value === 'string' ? value : JSON.stringify(value);
    // A form would replace them by another character.
    if (/\p{Surrogate}/u.test(text)) throw new BadRequest(`${name} must not contain lone surrogates.`);
    form.append(name, text);
  }
  if (method === 'GET' && form.toString().length > MAX_QUERY) {
    form.append('method', method);
    return { method: 'POST', path: filled, form };
  }
  return { method, path: filled, form, file };
}

let described: readonly DescribedOperation[] | undefined;

/** Computed on first use. */
function describedOperations(): readonly DescribedOperation[] {
  described ??= (catalogue as readonly Operation[]).map(describe);
  return described;
}
