import type { DataOf } from './error-data.ts';
import { ChatError, type ErrorCode } from './errors.ts';

/**
 * Whether `error` is a `ChatError`, optionally with this code. Use it instead of `instanceof`: it also recognizes
 * errors of another copy of the package. With a code, `data` has the type of that code.
 * @example
 * if (isChatError(error, 'RATE_LIMIT_HIT')) await wait(error.data['retry-after'] * 1000);
 */
export function isChatError<C extends ErrorCode>(
  error: unknown,
  code: C,
): error is ChatError & { readonly code: C; readonly data: DataOf<C> };
export function isChatError(error: unknown): error is ChatError;
export function isChatError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof ChatError && (code === undefined || error.code === code);
}
