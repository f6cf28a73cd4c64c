import { receivedError } from '../kernel/received-error.ts';
import { Unreachable } from './unreachable.ts';

/**
 * The fields of a response.
 * @throws ChatError if the response is an error; Unreachable if it is not a response of this API
 */
export function readAnswer(site: string, status: number, text: string): object {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw Unreachable.notJson(site, status);
  }
  const { result, msg, code, ...data } = body;
  if (result === 'success') return data;
  if (result !== 'error')
    throw new Unreachable(site, new Error(`the response (status ${status}) is not from a server of this API`));
  throw receivedError(String(msg), typeof code === 'string' ? code : null, status, data);
}
