import {
  BadRequest,
  type ChatError,
  type ChatErrorClass,
  CsrfFailed,
  NotFound,
  RateLimitHit,
  RequestVariableMissing,
  sampleOf,
  TokenExpired,
  TokenFromOtherOrganization,
  TokenInvalid,
  TokenNotAllowed,
  TokenRevoked,
  Unauthorized,
} from '../base/errors.ts';
import { groupBy } from '../base/lists.ts';
import { present } from '../base/present.ts';
import { textKind } from '../base/text-codec.ts';
import type { Operation } from '../operation/operation.ts';

/** Error responses of all operations, by status. */
const OF_EVERY_OPERATION = {
  413: 'TooLarge',
  415: 'Compressed',
  431: 'HeadersTooLarge',
  500: 'Fault',
  503: 'Unavailable',
} as const;

/** Operations that read credentials have it too. */
const OF_EVERY_LOGIN = { 409: 'OtherAccount' } as const;

/** The same responses, by name. */
export const COMMON_RESPONSES: Readonly<Record<string, object>> = {
  TooLarge: errorResponse(['BAD_REQUEST'], 'The body of the request is too large.'),
  OtherAccount: errorResponse(
    ['ACCOUNT_CHANGED'],
    'The header Parlance-Account has another user ID than that of the login. The request had no effect.',
  ),
  Compressed: errorResponse(['BAD_REQUEST'], 'The body has a Content-Encoding, such as gzip. Send it uncompressed.'),
  OtherMethod: errorResponse(
    [],
    'An ID in the path is not a number, and another operation with the path has other methods.',
    'MethodError',
  ),
  HeadersTooLarge: errorResponse(['BAD_REQUEST'], 'The query and the headers are longer than 128 KiB.'),
  Fault: errorResponse(
    ['INTERNAL_SERVER_ERROR'],
    'An internal error. The server log has its cause, under the ID in msg.',
  ),
  Unavailable: {
    ...errorResponse(
      ['SERVICE_UNAVAILABLE'],
      'The database is not usable now, the disk for files is full, or too many pictures are waiting.',
    ),
    headers: {
      'Retry-After': {
        description: 'Seconds until a retry may succeed. Absent if an administrator must fix the problem.',
        schema: { type: 'integer' },
      },
    },
  },
};

/** OpenAPI error responses of an operation by status: its declared errors and those of all operations. */
export function errorResponses(
  operation: Operation,
  method: string,
  path: string,
): Record<string, { description?: string; $ref?: string }> {
  const takesId = takesDigits(operation, path);
  const hasParameters = Object.keys(operation.params).length > 0;
  const classes = new Set<ChatErrorClass>([
    ...operation.errors,
    // Also without parameters: an invalid form is refused.
    BadRequest,
    ...(hasParameters ? [RequestVariableMissing] : []),
    ...(operation.access === 'anyone' ? [] : [Unauthorized, ...tokenErrors(operation)]),
    ...(operation.access === 'anyone' || method === 'GET' ? [] : [CsrfFailed]),
    ...(takesId ? [NotFound] : []),
    RateLimitHit,
  ]);
  const byStatus = groupBy([...classes].map(sampleOf), ({ status }) => status);
  const codesOf = (errors: ChatError[]) => [...new Set(errors.map(({ code }) => code))].filter((code) => code !== null);
  return Object.fromEntries([
    ...[...byStatus].map(([status, errors]) => [status, errorResponse(codesOf(errors).sort())]),
    ...(takesId ? [[405, { $ref: '#/components/responses/OtherMethod' }]] : []),
    ...Object.entries({ ...OF_EVERY_OPERATION, ...(operation.access === 'anyone' ? {} : OF_EVERY_LOGIN) }).map(
      ([status, name]) => [status, { $ref: `#/components/responses/${name}` }],
    ),
  ]);
}

/**
 * Tokens that may only read cannot call an operation that writes. Few operations are for tokens that are limited to
 * rooms. No token can call one that needs a login.
 */
function tokenErrors({ scope, forRooms }: Operation): ChatErrorClass[] {
  const needsMore = scope !== 'read' || forRooms !== true;
  const errors = [TokenExpired, TokenFromOtherOrganization, TokenInvalid, TokenRevoked];
  return needsMore ? [...errors, TokenNotAllowed] : errors;
}

/** Whether a path parameter must consist of digits. Other values lead to 404, or to 405 if they fit another path. */
function takesDigits({ params }: Operation, path: string): boolean {
  return [...path.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => textKind(present(params[name])) === 'integer');
}

/** The schema of all error responses. */
export const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    result: { type: 'string', const: 'error' },
    msg: { type: 'string', description: 'For users.' },
    code: { type: 'string', description: 'For programs. Some codes have further fields.' },
  },
  required: ['result', 'msg', 'code'],
} as const;

/** The schema of a response with status 405, which has no code. */
export const METHOD_ERROR_SCHEMA = {
  type: 'object',
  properties: {
    result: { type: 'string', const: 'error' },
    msg: { type: 'string', description: 'For users.' },
    allowed_methods: { type: 'array', items: { type: 'string' } },
  },
  required: ['result', 'msg', 'allowed_methods'],
} as const;

function errorResponse(codes: readonly string[], description = codes.join(', '), schema = 'Error') {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
  return { description, 'x-error-codes': codes, content };
}
