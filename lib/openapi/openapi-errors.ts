import {
  BadRequest,
  ChatError,
  type ChatErrorClass,
  RateLimitHit,
  RequestVariableMissing,
  Unauthorized,
} from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';

/** The refusals of an operation as OpenAPI responses, by status: declared ones and those of every operation. */
export function errorResponses(operation: Operation): Record<string, object> {
  const hasParameters = Object.keys(operation.params.entries).length > 0;
  const classes = new Set<ChatErrorClass>([
    ...operation.errors,
    ...(hasParameters ? [BadRequest, RequestVariableMissing] : []),
    ...(operation.access === 'anyone' ? [] : [BadRequest, Unauthorized]),
    RateLimitHit,
  ]);
  const byStatus = new Map<number, string[]>();
  for (const { code, status } of [...classes].map(sample)) {
    const codes = byStatus.get(status) ?? [];
    if (code !== null && !codes.includes(code)) codes.push(code);
    byStatus.set(status, codes);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, errorResponse(codes.sort())]));
}

function errorResponse(codes: readonly string[]): object {
  const schema = {
    type: 'object',
    properties: { result: { const: 'error' }, msg: { type: 'string' }, code: { enum: codes } },
    required: ['result', 'msg', 'code'],
  };
  return { description: codes.join(', '), content: { 'application/json': { schema } } };
}

/** Code and status are set by an error's constructor, whose arguments differ; these suit all of them. */
function sample(errorClass: ChatErrorClass): { code: string | null; status: number } {
  const error: unknown = Reflect.construct(errorClass, [{}, []]);
  return error instanceof ChatError ? error : { code: null, status: 500 };
}
