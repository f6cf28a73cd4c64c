import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { type ChatError, RateLimitHit } from '../base/errors.ts';
import { receivedError } from '../base/received-error.ts';
import { isRereadable, knownSize, namedFile, type RereadableContent, type StreamedFile } from '../base/schemas.ts';
import { pauseAfter, Unreachable } from './answer.ts';
import { OutgoingContent } from './file-sending.ts';

/** Files above this size, in bytes, are sent as resumable uploads. */
const RESUMABLE_BYTES = 25 * 1024 * 1024;

/** A file that can be read again from any byte on. */
export interface RereadableFile {
  name: string;
  type?: string;
  size: number;
  content: Pick<RereadableContent, 'from' | 'memory'>;
}

/** The file, if it is large enough for a resumable upload and can be read again. */
export function resumableFile(file: Blob | StreamedFile): RereadableFile | undefined {
  const named = namedFile(file);
  const size = knownSize(named);
  const content = rereadable(named.content);
  if (size === undefined || size <= RESUMABLE_BYTES || !content) return undefined;
  return { ...named, size, content };
}

function rereadable(content: StreamedFile['content']): RereadableFile['content'] | undefined {
  if (content instanceof Blob) {
    return { from: (offset) => content.slice(offset).stream() as unknown as AsyncIterable<Uint8Array> };
  }
  if (content instanceof Uint8Array) return { from: (offset) => Readable.from([content.subarray(offset)]) };
  return isRereadable(content) ? content : undefined;
}

/** Stop after this many requests in a row without progress. */
const MAX_FAILED_REQUESTS = 8;

const TUS = { 'tus-resumable': '1.0.0' };

type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { text: string };
/** Makes one request with the headers of the session. */
export type SendRequest = (
  address: string,
  options: {
    method: Dispatcher.HttpMethod;
    headers: Record<string, string>;
    body?: Readable;
    headersTimeout?: number;
    signal?: AbortSignal;
  },
) => Promise<Dispatcher.ResponseData>;

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

  /** @param timeout milliseconds in which the server must accept data, or respond after the last byte */
  constructor(
    private readonly site: string,
    private readonly request: SendRequest,
    private readonly timeout: number,
    private readonly file: RereadableFile,
  ) {}

  /**
   * Resolves to undefined if the server does not support resumable uploads.
   * @throws Unreachable after too many failed attempts; ChatError if the server refuses the upload
   */
  async run(): Promise<{ url: string; uri: string; filename: string } | undefined> {
    const { memory } = this.file.content;
    this.#address = this.#ownAddress(await memory?.find(this.site));
    let failures = 0;
    for (;;) {
      const before = this.#sent;
      try {
        if (this.#address === undefined) {
          if (!(await this.#begin())) return undefined;
        } else if (!(await this.#look(this.#address))) {
          this.#address = undefined;
          this.#sent = 0;
          failures = 0;
          continue;
        }
        const answer = await this.#sendRest(this.#address as string);
        failures = 0;
        if (answer.statusCode !== 200) continue;
        await memory?.forget(this.site);
        const { url, filename } = JSON.parse(answer.text) as { url: string; filename: string };
        return { url, uri: url, filename };
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        failures = this.#sent > before ? 1 : failures + 1;
        // No retries if the first request cannot reach the server.
        const isNew = this.#address === undefined && error.reason instanceof Unreachable;
        if (isNew || failures >= MAX_FAILED_REQUESTS) throw error.reason;
        await wait(Math.max(error.pauseMs, pauseAfter(failures - 1)));
      }
    }
  }

  /** Starts the upload. False if the server does not support resumable uploads. */
  async #begin(): Promise<boolean> {
    const { name, type, size, content } = this.file;
    const metadata = [`filename ${base64(name)}`, ...(type ? [`filetype ${base64(type)}`] : [])].join(',');
    const headers = { ...TUS, 'upload-length': String(size), 'upload-metadata': metadata };
    const address = `${this.site}/api/v1/tus`;
    const answer = await this.#ask(address, { method: 'POST', headers });
    // Other and older servers.
    if ([404, 405, 501].includes(answer.statusCode)) return false;
    if (answer.statusCode !== 201) throw refusal(answer);
    const location = answer.headers.location;
    const own = typeof location === 'string' ? this.#ownAddress(new URL(location, address).href) : undefined;
    if (own === undefined) throw new Unreachable(this.site, new Error('it starts uploads on another host'));
    this.#address = own;
    await content.memory?.keep(this.site, own);
    return true;
  }

  /** undefined for another origin: it must not receive the API key. */
  #ownAddress(address: string | undefined): string | undefined {
    return address !== undefined && new URL(address).origin === new URL(this.site).origin ? address : undefined;
  }

  /** False if the server does not have the upload any more, or if it is an upload of another file. */
  async #look(address: string): Promise<boolean> {
    const answer = await this.#ask(address, { method: 'HEAD', headers: TUS });
    if (answer.statusCode === 404 || answer.statusCode === 410) return false;
    if (answer.statusCode !== 200) throw refusal(answer);
    const [offset, length] = ['upload-offset', 'upload-length'].map((name) => Number(answer.headers[name]));
    if (length !== this.file.size || !(Number(offset) <= this.file.size)) return false;
    this.#sent = Number(offset);
    return true;
  }

  async #sendRest(address: string): Promise<Answer> {
    const from = this.#sent;
    const content = new OutgoingContent(this.file.content.from(from), this.timeout);
    const headers = {
      ...TUS,
      'content-type': 'application/offset+octet-stream',
      'content-length': String(this.file.size - from),
      'upload-offset': String(from),
    };
    try {
      const { body, signal } = content;
      const answer = await this.#ask(address, { method: 'PATCH', headers, body, headersTimeout: 0, signal });
      if (answer.statusCode === 409) throw new Interrupted(refusal(answer));
      if (answer.statusCode >= 300) throw refusal(answer);
      this.#sent = Number(answer.headers['upload-offset'] ?? this.#sent);
      return answer;
    } catch (error) {
      // A failure to read the file is not an error of the server.
      throw content.failure ?? error;
    } finally {
      content.end();
    }
  }

  /** @throws Interrupted if a retry may succeed */
  async #ask(address: string, options: Parameters<SendRequest>[1]): Promise<Answer> {
    let answer: Answer;
    try {
      const { statusCode, headers, body } = await this.request(address, options);
      answer = { statusCode, headers, text: await body.text() };
    } catch (error) {
      throw new Interrupted(new Unreachable(this.site, error));
    }
    const { statusCode, headers } = answer;
    if (statusCode === 423 || statusCode === 429 || statusCode === 408 || (statusCode >= 500 && statusCode !== 501)) {
      throw new Interrupted(refusal(answer), Number(headers['retry-after'] ?? 0) * 1000);
    }
    return answer;
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Error responses of tus have no `code`. */
function refusal({ statusCode, headers, text }: Answer): ChatError {
  if (statusCode === 429) return new RateLimitHit(Number(headers['retry-after'] ?? 1));
  let message: unknown;
  try {
    message = (JSON.parse(text) as { message?: unknown }).message;
  } catch {
    message = text.slice(0, 200);
  }
  return receivedError(
    String(message || `The server refused the upload with status ${statusCode}.`),
    codeOf(statusCode),
    statusCode,
    {},
  );
}

const codeOf = (status: number) => (status === 401 ? 'UNAUTHORIZED' : 'BAD_REQUEST');
