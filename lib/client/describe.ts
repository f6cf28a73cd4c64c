import { DoesNotExist } from '../kernel/errors.ts';
import { NoSuchFile } from '../kernel/file-errors.ts';
import { type Operation, routesOf } from '../kernel/operation.ts';
import { textKind } from '../kernel/text-codec.ts';
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
