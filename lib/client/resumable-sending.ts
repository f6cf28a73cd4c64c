import { type ChatError, RateLimitHit } from '../base/errors.ts';
import { receivedError } from '../base/received-error.ts';
import type { UploadOptions } from '../chat/call-options.ts';
import { base64, pauseAfter, Unreachable, wait } from './answer.ts';
import type { PlatformRequest, ResumableFile } from './platform.ts';

/** Stop after this many requests in a row without progress. */
const MAX_FAILED_REQUESTS = 8;

/** Bytes of the first piece, and of each piece after trouble. Proxies with default settings accept it. */
const PIECE_BYTES = 1024 * 1024;
/** Pieces grow up to this size if the connection is fast: each request counts for the rate limit of the user. */
const MAX_PIECE_BYTES = 16 * PIECE_BYTES;
/** Milliseconds. After a piece that took less, the next one has twice the size. */
const FAST_MS = 1_000;

const TUS = { 'tus-resumable': '1.0.0' };

type SentFile = { url: string; uri: string; filename: string };

interface Answer {
  status: number;
  header(name: string): string | null | undefined;
  text: string;
}

function sentFile({ text }: Answer): SentFile {
  const { url, filename } = JSON.parse(text) as { url: string; filename: string };
  return { url, uri: url, filename };
}

/** Makes one request with the login of the session. @throws Unreachable */
export type SendRequest = (
  address: string,
  request: PlatformRequest & { headers: Record<string, string> },
  signal?: AbortSignal,
) => Promise<Answer>;

/** A failed request that may succeed in a retry. */
class Interrupted extends Error {
  /** @param pauseMs shortest pause before the retry */
  constructor(
    readonly reason: unknown,
    readonly pauseMs = 0,
  ) {
    super();
  }
}

/** Sends a file with the tus protocol and resumes after a broken connection. */
export class ResumableSending {
  #address: string | undefined;
  /** Bytes that the server has confirmed. */
  #sent = 0;
  #pieceBytes = PIECE_BYTES;
  #maxPieceBytes = MAX_PIECE_BYTES;

  constructor(
    private readonly site: string,
    private readonly request: SendRequest,
    private readonly file: ResumableFile,
    private readonly options: UploadOptions & { key?: unknown },
  ) {}

  /**
   * Resolves to undefined if the server does not support resumable uploads.
   * @throws Unreachable after too many failed attempts; ChatError if the server refuses the upload
   */
  async run(): Promise<SentFile | undefined> {
    try {
      return await this.#run();
    } catch (error) {
      if (this.options.signal?.aborted) this.#cancel();
      throw error;
    }
  }

  async #run(): Promise<SentFile | undefined> {
    const { memory } = this.file;
    this.#address = this.#ownAddress(await memory?.find(this.site));
    let failures = 0;
    for (;;) {
      const before = this.#sent;
      try {
        if (this.#address === undefined) {
          const begun = await this.#begin();
          if (begun === 'unsupported') return undefined;
          if (begun !== 'begun') return begun;
        } else if (!(await this.#look(this.#address))) {
          this.#address = undefined;
          this.#sent = 0;
          failures = 0;
          continue;
        }
        for (;;) {
          const answer = await this.#sendPiece(this.#address as string);
          failures = 0;
          if (answer.status === 200) {
            await memory?.forget(this.site);
            return sentFile(answer);
          }
        }
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        failures = this.#sent > before ? 1 : failures + 1;
        this.#pieceBytes = PIECE_BYTES;
        // No retries if the first request cannot reach the server.
        const isNew = this.#address === undefined && error.reason instanceof Unreachable;
        if (isNew || failures >= MAX_FAILED_REQUESTS) throw error.reason;
        await wait(Math.max(error.pauseMs, pauseAfter(failures - 1)), this.options.signal);
        this.options.signal?.throwIfAborted();
      }
    }
  }

  /** Starts the upload. Returns the file if an earlier call with the same key has sent it. */
  async #begin(): Promise<'begun' | 'unsupported' | SentFile> {
    const { name, type, size, memory } = this.file;
    const { key } = this.options;
    const fields = { filename: name, filetype: type || undefined, idempotency_key: key };
    const metadata = Object.entries(fields)
      .flatMap(([field, value]) => (value === undefined ? [] : [`${field} ${base64(String(value))}`]))
      .join(',');
    const headers = { ...TUS, 'upload-length': String(size), 'upload-metadata': metadata };
    const address = `${this.site}/api/v1/tus`;
    const answer = await this.#ask(address, { method: 'POST', headers });
    // Other and older servers.
    if ([404, 405, 501].includes(answer.status)) return 'unsupported';
    if (answer.status === 200) return sentFile(answer);
    if (answer.status !== 201) throw refusal(answer);
    const location = answer.header('location');
    const own = location ? this.#ownAddress(new URL(location, address).href) : undefined;
    if (own === undefined) throw new Unreachable(this.site, new Error('it starts uploads on another host'));
    this.#address = own;
    this.#progress(Number(answer.header('upload-offset') ?? 0));
    await memory?.save(this.site, own);
    return 'begun';
  }

  /** undefined for another origin: it must not receive the login. */
  #ownAddress(address: string | undefined): string | undefined {
    return address !== undefined && new URL(address).origin === new URL(this.site).origin ? address : undefined;
  }

  /** False if the server does not have the upload any more, or if it is an upload of another file. */
  async #look(address: string): Promise<boolean> {
    const answer = await this.#ask(address, { method: 'HEAD', headers: TUS });
    if (answer.status === 404 || answer.status === 410) return false;
    if (answer.status !== 200) throw refusal(answer);
    const [offset, length] = ['upload-offset', 'upload-length'].map((name) => Number(answer.header(name)));
    if (length !== this.file.size || !(Number(offset) <= this.file.size)) return false;
    this.#progress(Number(offset));
    return true;
  }

  async #sendPiece(address: string): Promise<Answer> {
    const { size, inPieces } = this.file;
    const from = this.#sent;
    const to = inPieces ? Math.min(size, from + this.#pieceBytes) : size;
    const headers = {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(from),
    };
    let accepted = from;
    const onSent = (bytes: number) => {
      accepted += bytes;
      this.options.onProgress?.(accepted, size);
    };
    const beginMs = performance.now();
    const piece = () => this.file.read(from, to);
    const answer = await this.#ask(address, { method: 'PATCH', headers, piece, pieceBytes: to - from, onSent });
    if (answer.status === 413 && to - from > PIECE_BYTES) {
      // The limit of a proxy: those of the server are for the whole file.
      this.#maxPieceBytes = PIECE_BYTES;
      throw new Interrupted(refusal(answer));
    }
    if (answer.status === 409) throw new Interrupted(refusal(answer));
    if (answer.status >= 300) throw refusal(answer);
    const sent = answer.status === 200 ? size : Number(answer.header('upload-offset') ?? from);
    if (sent <= from && answer.status !== 200)
      throw new Interrupted(new Unreachable(this.site, new Error('it stored no byte of a piece')));
    this.#progress(sent);
    if (performance.now() - beginMs < FAST_MS) {
      this.#pieceBytes = Math.min(this.#pieceBytes * 2, this.#maxPieceBytes);
    }
    return answer;
  }

  #progress(sent: number): void {
    this.#sent = sent;
    this.options.onProgress?.(sent, this.file.size);
  }

  /** Frees what the server has stored, unless a later process may resume the upload. */
  #cancel(): void {
    if (this.#address === undefined || this.file.memory) return;
    this.request(this.#address, { method: 'DELETE', headers: TUS }).catch(() => undefined);
  }

  /** @throws Interrupted if a retry may succeed */
  async #ask(address: string, request: Parameters<SendRequest>[1]): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await this.request(address, request, this.options.signal);
    } catch (error) {
      throw error instanceof Unreachable && !this.options.signal?.aborted ? new Interrupted(error) : error;
    }
    const { status } = answer;
    if (status === 423 || status === 429 || status === 408 || (status >= 500 && status !== 501)) {
      throw new Interrupted(refusal(answer), Number(answer.header('retry-after') ?? 0) * 1000);
    }
    return answer;
  }
}

/** Error responses of tus have no `code`. */
function refusal({ status, header, text }: Answer): ChatError {
  if (status === 429) return new RateLimitHit(Number(header('retry-after') ?? 1));
  let message: unknown;
  try {
    message = (JSON.parse(text) as { message?: unknown }).message;
  } catch {
    message = text.slice(0, 200);
  }
  const code = status === 401 ? 'UNAUTHORIZED' : 'BAD_REQUEST';
  return receivedError(String(message || `The server refused the upload with status ${status}.`), code, status, {});
}
