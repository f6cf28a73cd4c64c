import type { BuiltRequest } from './built-request.ts';
import type { DescribedOperation } from './described-operation.ts';

/** How Node or a browser sends requests. */
export interface Platform {
  /** Checks and returns a path parameter. */
  readParameter(operation: DescribedOperation, name: string, value: unknown): unknown;
  /** Sends a file as a resumable upload. Resolves to undefined if it is small, or if the server does not support them. */
  sendLarge?(operation: DescribedOperation, file: BuiltRequest['file']): Promise<object | undefined>;
  /** @throws Unreachable; so does `text` of the response */
  request(url: string, request: PlatformRequest): Promise<PlatformAnswer>;
  /** Closes connections. */
  close?(): Promise<void>;
}

export interface PlatformRequest {
  method: string;
  headers?: Record<string, string>;
  form?: URLSearchParams | undefined;
  file?: BuiltRequest['file'];
  signal?: AbortSignal | undefined;
  /** Without login. */
  isPublic?: boolean;
}

interface PlatformAnswer {
  status: number;
  header(name: string): string | null | undefined;
  /** @param heard called for each piece */
  text(heard: () => void): Promise<string>;
  content: AsyncIterable<Uint8Array>;
}
