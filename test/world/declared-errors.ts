import assert from 'node:assert/strict';
import {
  BadRequest,
  type ChatErrorClass,
  NotFound,
  type Operation,
  RequestVariableMissing,
  routesOf,
  sampleOf,
  Unauthorized,
} from '../../lib/internal.ts';

/** Errors of the steps before an operation, which the operation need not declare. */
function errorsBefore({ params, access, http }: Operation): ChatErrorClass[] {
  const takesId = routesOf({ http }).some(({ path }) => path.includes('{'));
  return [
    ...(Object.keys(params).length > 0 ? [RequestVariableMissing, BadRequest] : []),
    ...(takesId ? [NotFound] : []),
    ...(access === 'anyone' ? [] : [Unauthorized]),
  ];
}

/** Fails unless the operation declares an error with this code. */
export function assertDeclared(
  operation: Operation,
  { code, message }: { code: string | null; message: string },
): void {
  const codes: (string | null)[] = [...operation.errors, ...errorsBefore(operation)].map(
    (errorClass) => sampleOf(errorClass).code,
  );
  assert.ok(code && codes.includes(code), `${operation.name} does not declare ${code}: ${message}`);
}
