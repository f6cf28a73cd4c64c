import { isChatError } from '../base/errors.ts';
import { receivedError } from '../base/received-error.ts';

/** The server could not be reached, or the response is not of this API. `cause` is the original error. */
export class Unreachable extends Error {
  constructor(site: string, cause: unknown) {
    super(`Cannot reach ${site}: ${reasonOf(cause)}`, { cause });
    this.name = 'Unreachable';
  }

  /** The response is not of this API. With status 502, 503 or 504, a proxy got no response from the server behind it. */
  static notJson(site: string, status: number): Unreachable {
    const isOfProxy = status > 501 && status < 505;
    const reason = isOfProxy ? 'a proxy got no response from it' : 'it is not a chat server';
    return new Unreachable(site, new Error(`${reason} (status ${status})`));
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // A `DOMException` has a number as its code.
  const { code, reason } = cause as { code?: unknown; reason?: unknown };
  // For TLS errors, `message` is a log line of OpenSSL. `reason` is readable.
  if (String(code).startsWith('ERR_SSL_') && typeof reason === 'string') return reason;
  return cause.message || String(code);
}

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
  if (result !== 'error') throw Unreachable.notJson(site, status);
  throw receivedError(String(msg), typeof code === 'string' ? code : null, status, data);
}

/** Milliseconds that the server asks to wait before a retry; 0 if it does not. */
export const retryAfter = (error: unknown): number =>
  isChatError(error) ? Number(error.data['retry-after'] ?? 0) * 1000 : 0;

/** Pauses before retries, in milliseconds: see `ConnectOptions`. */
export interface Backoff {
  firstMs?: number | undefined;
  maxMs?: number | undefined;
}

/** Milliseconds to wait before a retry, after earlier failures in a row. */
export function pauseAfter(failures: number, { firstMs = 500, maxMs = 15_000 }: Backoff = {}): number {
  return Math.min(maxMs, firstMs * 2 ** failures) * (0.75 + Math.random() / 2);
}

/**
 * Aborts on one of the signals, or after this time without a call of `heard`. Call `end` when the request is over.
 * @param milliseconds no timeout if undefined
 */
export function withTimeout(milliseconds: number | undefined, ...signals: (AbortSignal | undefined)[]) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const late = () => controller.abort(new Error(`no response within ${milliseconds} ms`));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    if (milliseconds !== undefined) timer = setTimeout(late, milliseconds);
  };
  heard();
  const unfollow = follow(signals, abort);
  const end = () => {
    clearTimeout(timer);
    unfollow();
  };
  return { signal: controller.signal, heard, end };
}

/** Calls `abort` when one of the signals aborts, also if it has. @returns ends that */
export function follow(signals: readonly (AbortSignal | undefined)[], abort: () => void): () => void {
  if (signals.some((signal) => signal?.aborted)) abort();
  for (const signal of signals) signal?.addEventListener('abort', abort);
  return () => {
    for (const signal of signals) signal?.removeEventListener('abort', abort);
  };
}

/** @param heard called for each piece */
export async function textOf(content: AsyncIterable<Uint8Array>, heard: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of content) {
    heard();
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** Ends earlier if the browser is online again, or on one of the signals. */
export async function wait(milliseconds: number | undefined, ...signals: (AbortSignal | undefined)[]): Promise<void> {
  const network = globalThis as unknown as Partial<EventTarget>;
  const { signal, end } = withTimeout(milliseconds, ...signals);
  await new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve);
    network.addEventListener?.('online', resolve, { once: true, signal });
  });
  end();
}

export const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
