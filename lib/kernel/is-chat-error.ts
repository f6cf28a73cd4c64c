import type { DataOf } from './error-data.ts';
import { ChatError, type ErrorCode } from './errors.ts';

/**
 * Whether something thrown is a refusal of the chat's, with that code where one is named: whichever copy of the package
 * it comes from. With a code, `data` has the fields that go with it.
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
