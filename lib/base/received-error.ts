import { BadImage, ChatError, type ErrorCode, RateLimitHit, Unauthorized } from './errors.ts';

/** The classes that programs can import. */
const CLASSES: Partial<Record<string, { prototype: ChatError }>> = {
  BAD_IMAGE: BadImage,
  RATE_LIMIT_HIT: RateLimitHit,
  UNAUTHORIZED: Unauthorized,
};

/** `StreamDoesNotExist` for `STREAM_DOES_NOT_EXIST`. */
const nameOf = (code: string) =>
  code.replace(/([A-Z0-9])([A-Z0-9]*)_?/g, (_, first, rest) => first + rest.toLowerCase());

/** The error of a server response, with the message of the server: of the same class as in process, if that is public. */
export function receivedError(
  message: string,
  code: string | null,
  status: number,
  data: Record<string, unknown>,
): ChatError {
  const error = new ChatError(message, code as ErrorCode | null, status, data);
  if (code === null) return error;
  error.name = nameOf(code);
  const known = Object.hasOwn(CLASSES, code) ? CLASSES[code] : undefined;
  if (known) Object.setPrototypeOf(error, known.prototype);
  return error;
}
