import type { UploadMemory } from '../base/schemas.ts';
import type { BuiltRequest } from './built-request.ts';
import type { DescribedOperation } from './described-operation.ts';

type SentFile = NonNullable<BuiltRequest['file']>;

/** How Node or a browser sends requests. */
export interface Platform {
  /** Checks and returns a path parameter. */
  readParameter(operation: DescribedOperation, name: string, value: unknown): unknown;
  /** Whether a text of this parameter goes as JSON. */
  isQuoted(operation: DescribedOperation, name: string): boolean;
  /** The file for a resumable upload. Undefined if it is small or a stream. */
  resumable(file: SentFile): ResumableFile | undefined;
  /** Whether `request` calls `onSent` while it sends a file. Otherwise silence does not mean a stall. */
  readonly seesSent: boolean;
  /** @throws Unreachable, or the error of reading the file; so does `text` of the response */
  request(url: string, request: PlatformRequest): Promise<PlatformAnswer>;
  /** Closes connections. */
  close?(): Promise<void>;
}

export interface PlatformRequest {
  method: string;
  headers?: Record<string, string>;
  form?: URLSearchParams | undefined;
  /** Sent with the form. */
  file?: SentFile | undefined;
  /** Sent as it is. Called again if the request is repeated. */
  piece?: () => UploadPiece;
  /** Bytes of the piece. */
  pieceBytes?: number;
  /** Called with the number of bytes of the file or piece that the server has accepted since the last call. */
  onSent?: (bytes: number) => void;
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

export type UploadPiece = Blob | AsyncIterable<Uint8Array>;

/** A file that allows to read it again from any byte on. */
export interface ResumableFile {
  name: string;
  type?: string | undefined;
  size: number;
  read(from: number, to: number): UploadPiece;
  /** Send it in pieces, each with a request of its own. Otherwise, one request sends the rest. */
  inPieces?: boolean;
  memory?: UploadMemory | undefined;
}
