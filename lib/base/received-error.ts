import * as errors from './errors.ts';

/** The class of each code. `NotFound` and the subclasses of `BadRequest` have the code of `BadRequest`. */
const CLASSES = new Map(
  Object.values(errors)
    .filter((each) => Object.getPrototypeOf(each) === errors.ChatError && each !== errors.NotFound)
    .map((each) => [errors.sampleOf(each as errors.ChatErrorClass).code, each as errors.ChatErrorClass]),
);

/** The error of a server response: the same class as in process, with the message of the server. */
export function receivedError(
  message: string,
  code: string | null,
  status: number,
  data: Record<string, unknown>,
): errors.ChatError {
  const error = new errors.ChatError(message, code as errors.ErrorCode | null, status, data);
  const known = code === null ? undefined : CLASSES.get(code as errors.ErrorCode);
  if (known) {
    Object.setPrototypeOf(error, known.prototype);
    error.name = known.name;
  }
  return error;
}
