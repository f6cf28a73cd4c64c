import { recognizeCopies } from './across-copies.ts';
import type { DataOf, ErrorCode } from './error-data.ts';

/**
 * The operation was refused and changed nothing. Branch on `code`; show `message` to users.
 * @example
 * await session.messages.addReaction({ message_id: 7, emoji_name: 'tada' }).catch((error) => {
 *   if (!isChatError(error, 'REACTION_ALREADY_EXISTS')) throw error;
 * });
 */
export class ChatError extends Error {
  /** @param status HTTP status of the response @param data additional fields of the response */
  constructor(
    message: string,
    /** Error code. null only for an HTTP method that the path does not support. */
    readonly code: ErrorCode | null,
    readonly status: number = 400,
    readonly data: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}

recognizeCopies(ChatError, 'ChatError');

/** Element of `errors` in the declaration of an operation. */
export type ChatErrorClass = abstract new (...args: never[]) => ChatError;

/** Creates an error to read its code and status. These arguments work for all constructors. */
export function sampleOf(errorClass: ChatErrorClass): ChatError {
  return Reflect.construct(errorClass, [{}, []]) as ChatError;
}

/** The base of an error whose text is always the same. */
export const fixed = (code: ErrorCode, message: string, status = 400): (new () => ChatError) =>
  class extends ChatError {
    constructor() {
      super(message, code, status);
    }
  };

/** The response body of an error: `{ result, msg, code, ...data }`. */
export function errorBody(error: ChatError): Record<string, unknown> {
  return { result: 'error', msg: error.message, ...(error.code ? { code: error.code } : {}), ...error.data };
}

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
