import {
  BadRequest,
  ChatError,
  type ChatErrorClass,
  CsrfFailed,
  NotFound,
  RateLimitHit,
  RequestVariableMissing,
  Unauthorized,
} from '../kernel/errors.ts';
import type { Operation } from '../kernel/operation.ts';
import { textKind } from '../kernel/text-codec.ts';

/** What any request may be answered with, whatever the operation, by status. */
const OF_EVERY_OPERATION = { 413: 'TooLarge', 500: 'Fault', 503: 'Unavailable' } as const;

/** Those responses, by name. */
export const COMMON_RESPONSES: Readonly<Record<string, object>> = {
  TooLarge: errorResponse(['BAD_REQUEST'], 'The body of the request is too large.'),
  Fault: errorResponse([], 'A defect; its cause is logged under the ID in msg.'),
  Unavailable: {
    ...errorResponse(
      ['SERVICE_UNAVAILABLE'],
      'The database cannot be worked on at the moment, the disk for files is full, or too many pictures wait.',
    ),
    headers: {
      'Retry-After': {
        description: 'Seconds after which it may be well again; absent where somebody has to see to it.',
        schema: { type: 'integer' },
      },
    },
  },
};

/** The refusals of an operation as OpenAPI responses, by status: declared ones and those of every operation. */
export function errorResponses(operation: Operation, method: string, path: string): Record<string, object> {
  const hasParameters = Object.keys(operation.params.entries).length > 0;
  const classes = new Set<ChatErrorClass>([
    ...operation.errors,
    // Also without parameters: a form that cannot be read is refused.
    BadRequest,
    ...(hasParameters ? [RequestVariableMissing] : []),
    ...(operation.access === 'anyone' ? [] : [Unauthorized]),
    ...(operation.access === 'anyone' || method === 'GET' ? [] : [CsrfFailed]),
    ...(takesDigits(operation, path) ? [NotFound] : []),
    RateLimitHit,
  ]);
  const byStatus = new Map<number, string[]>();
  for (const { code, status } of [...classes].map(sample)) {
    const codes = byStatus.get(status) ?? [];
    if (code !== null && !codes.includes(code)) codes.push(code);
    byStatus.set(status, codes);
  }
  return Object.fromEntries([
    ...[...byStatus].map(([status, codes]) => [status, errorResponse(codes.sort())]),
    ...Object.entries(OF_EVERY_OPERATION).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  ]);
}

/** Whether something in the path must be digits: with anything else there, nothing is found. */
function takesDigits({ params }: Operation, path: string): boolean {
  return [...path.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => textKind(params.entries[name]) === 'integer');
}

function errorResponse(codes: readonly string[], description = codes.join(', ')): object {
  const hasCode = codes.length > 0;
  const schema = {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string' },
      ...(hasCode ? { code: { enum: codes } } : {}),
    },
    required: ['result', 'msg', ...(hasCode ? ['code'] : [])],
  };
  return { description, content: { 'application/json': { schema } } };
}

/** Code and status are set by an error's constructor, whose arguments differ; these suit all of them. */
function sample(errorClass: ChatErrorClass): { code: string | null; status: number } {
  const error: unknown = Reflect.construct(errorClass, [{}, []]);
  return error instanceof ChatError ? error : { code: null, status: 500 };
}
