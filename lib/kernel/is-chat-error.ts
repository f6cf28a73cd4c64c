import { ChatError, type ErrorCode } from './errors.ts';

/**
 * Whether something thrown is a refusal of the chat's, with that code where one is named: whichever copy of the package
 * it comes from.
 * @example
 * if (isChatError(error, 'RATE_LIMIT_HIT')) await wait(error.data['retry-after']);
 */
export function isChatError<C extends ErrorCode>(error: unknown, code: C): error is ChatError & { readonly code: C };
export function isChatError(error: unknown): error is ChatError;
export function isChatError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof ChatError && (code === undefined || error.code === code);
}
