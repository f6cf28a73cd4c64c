import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { inBlocks } from '../base/bytes.ts';
import { codeOf } from '../base/caught.ts';
import type { AppendableStore, ByteRange, FileStore } from './files.ts';

/** Credentials for S3. */
export interface S3Credentials {
  /** Access key ID. */
  accessKeyId: string;
  /** Secret access key. */
  secretAccessKey: string;
  /** Session token of temporary credentials. */
  sessionToken?: string;
}

/** Options of `s3Files`. */
export interface S3Options {
  /** Name of the bucket. Only this chat may write below `prefix` in it. */
  bucket: string;
  /** Default `us-east-1`. */
  region?: string;
  /** Address of a service other than AWS, for example `https://minio.example.com`. The bucket goes into the path. */
  endpoint?: string;
  /** The credentials, or a function that returns them. A function is called for every request. */
  credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>);
  /** Prefix of all keys, for example `chat/uploads`. Default: none. */
  prefix?: string;
  /**
   * Timeout in milliseconds before a response and between two pieces of it. Sending adds time for a speed of 64 KiB/s.
   * Default 30000.
   */
  timeoutMs?: number;
}

interface S3Request {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}

/** The service refused a request or sent an invalid response. */
class S3Failure extends Error {
  constructor(
    method: string,
    readonly status: number,
    code: string,
  ) {
    super(`The S3 service refused ${method}: ${status} ${code}`.trim());
    this.name = 'S3Failure';
  }
}

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Allows for slow connections when sending. */
const SLOWEST_BYTES_PER_MS = 64;

type Method = 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';

/** Signed requests to one bucket. Retries after server errors, rate limits and broken connections. */
class S3Requests {
  readonly #options: S3Options;
  readonly #base: string;
  /** Signing keys. They are derived from the credentials for one day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(options: S3Options) {
    const { bucket, region = 'us-east-1', endpoint, prefix = '' } = options;
    this.#options = options;
    const site = endpoint
      ? `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
    const segments = prefix.split('/').filter((segment) => segment !== '');
    this.#base = [site, ...segments.map(encodeURIComponent)].join('/');
  }

  /** Resolves to undefined if the key to read or delete does not exist. @throws S3Failure for other refusals */
  async send(method: Method, key: string, request: S3Request = {}): Promise<Dispatcher.ResponseData | undefined> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAX_ATTEMPTS;
      const answer = await this.#try(method, key, request).catch((error: unknown) => {
        if (isLast) throw error;
      });
      if (answer && answer.statusCode < 300) return answer;
      if (answer && (isLast || (answer.statusCode < 500 && answer.statusCode !== 429))) {
        const text = await answer.body.text();
        if (answer.statusCode === 404 && method !== 'PUT' && !/NoSuchBucket/.test(text)) return undefined;
        throw new S3Failure(method, answer.statusCode, /<Code>([^<]*)</.exec(text)?.[1] ?? '');
      }
      await answer?.body.dump();
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  async #try(method: Method, key: string, { query, headers = {}, body }: S3Request): Promise<Dispatcher.ResponseData> {
    // Loaded with the first request: most programs do not use S3.
    const [{ request }, { AwsV4Signer }] = await Promise.all([import('undici'), import('aws4fetch')]);
    const { credentials, region = 'us-east-1', timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const signed = await new AwsV4Signer({
      ...(typeof credentials === 'function' ? await credentials() : credentials),
      region,
      service: 's3',
      cache: this.#signingKeys,
      method,
      url: `${this.#base}/${key}${query ? `?${new URLSearchParams(query)}` : ''}`,
      headers,
      ...(body === undefined ? {} : { body: body as BodyInit }),
    }).sign();
    const signedHeaders: Record<string, string> = {};
    signed.headers.forEach((value, name) => {
      signedHeaders[name] = value;
    });
    const headersTimeout = timeoutMs + (body === undefined ? 0 : Math.ceil(body.length / SLOWEST_BYTES_PER_MS));
    try {
      // Undici does not count the time that a slow reader takes.
      return await request(signed.url, {
        method,
        headers: signedHeaders,
        ...(body === undefined ? {} : { body }),
        headersTimeout,
        bodyTimeout: timeoutMs,
      });
    } catch (error) {
      if (codeOf(error) !== 'UND_ERR_HEADERS_TIMEOUT') throw error;
      throw new Error(`The S3 service did not respond within ${headersTimeout} ms.`, { cause: error });
    }
  }
}

/**
 * Stores files in a bucket of S3 or of a compatible service. The chat removes interrupted uploads within a day. Only
 * this chat may write below the prefix.
 * @example
 * const credentials = { accessKeyId: '…', secretAccessKey: '…' };
 * const files = s3Files({ bucket: 'chat-files', region: 'eu-central-1', credentials, prefix: 'uploads' });
 */
export function s3Files(options: S3Options): FileStore {
  return new S3Files(options);
}

/** Part size in bytes. S3 allows at most 10,000 parts, and at least 5 MiB for all but the last. */
const PART_BYTES = 8 * 1024 * 1024;

/** State of an incomplete file, stored in an object beside it. Clients send data again that is missing here. */
interface Progress {
  upload_id: string;
  /** ETag and size of each part. */
  parts: [tag: string, size: number][];
  /** Bytes of the tail: the data after the last part, in an object of its own. That object may be longer. */
  tail: number;
}

/**
 * A small file is one object. A large file, or one that arrives in several requests, becomes the parts of a multipart
 * upload. Its state is in an object beside it, since not every service can list parts. Data too short for a part is in
 * another object, so that nothing is kept in memory between two requests.
 */
export class S3Files implements FileStore, AppendableStore {
  readonly #requests: S3Requests;
  readonly gathersParts = true;
  readonly appendable = this;

  constructor(
    options: S3Options,
    private readonly partBytes = PART_BYTES,
  ) {
    this.#requests = new S3Requests(options);
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const blocks = inBlocks(content, this.partBytes);
    const { value: first = new Uint8Array() } = await blocks.next();
    if (first.length < this.partBytes) {
      // Throws if the content has failed.
      await blocks.next();
      await this.#requests.send('PUT', key, { body: first });
      return;
    }
    try {
      await this.#send(key, await this.#begin(key), preceded(first, blocks));
      await this.finish(key);
    } catch (error) {
      // If this fails too, the chat removes the parts later.
      await this.#discard(key).catch(() => undefined);
      throw error;
    } finally {
      await blocks.return(undefined);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const request = range ? { headers: { range: `bytes=${range.start}-${range.end}` } } : {};
    const answer = await this.#requests.send('GET', key, request);
    if (answer && range && answer.statusCode !== 206) {
      answer.body.on('error', () => undefined).destroy();
      throw new S3Failure('GET', answer.statusCode, 'a part was requested, not the whole file');
    }
    // Undici emits an error if the reader destroys the stream early. Without a listener, it would end the process.
    return answer?.body.on('error', () => undefined);
  }

  async size(key: string): Promise<number | undefined> {
    const answer = await this.#requests.send('HEAD', key);
    return answer && Number(answer.headers['content-length'] ?? 0);
  }

  async remove(key: string): Promise<void> {
    await this.#discard(key);
    await this.#requests.send('DELETE', key);
  }

  async begin(key: string): Promise<void> {
    await this.#begin(key);
  }

  async #begin(key: string): Promise<Progress> {
    const answer = await this.#requests.send('POST', key, { query: { uploads: '' } });
    const upload_id = /<UploadId>([^<]+)</.exec((await answer?.body.text()) ?? '')?.[1];
    if (upload_id === undefined) throw new S3Failure('POST', answer?.statusCode ?? 404, 'no upload ID');
    const progress = { upload_id, parts: [], tail: 0 };
    await this.#save(key, progress);
    return progress;
  }

  async offset(key: string): Promise<number | undefined> {
    const progress = await this.#load(key);
    return progress ? inParts(progress) + progress.tail : this.size(key);
  }

  async append(key: string, offset: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const progress = await this.#load(key);
    const end = progress && inParts(progress) + progress.tail;
    if (!progress || end !== offset) throw new Error(`The file ends at ${end}, not at ${offset}.`);
    const tail = progress.tail > 0 ? await this.#tail(key, progress) : undefined;
    await this.#send(key, progress, inBlocks(tail ? preceded(tail, content) : content, this.partBytes));
  }

  async finish(key: string): Promise<void> {
    const progress = await this.#load(key);
    if (!progress) return;
    if (progress.tail > 0) await this.#sendPart(key, progress, await this.#tail(key, progress));
    if (progress.parts.length === 0) {
      await this.#requests.send('PUT', key, { body: new Uint8Array() });
      await this.#abort(key, progress);
    } else await this.#complete(key, progress);
    await this.#forget(key);
  }

  /** Deletes an incomplete file. */
  async #discard(key: string): Promise<void> {
    const progress = await this.#load(key);
    if (!progress) return;
    await this.#abort(key, progress);
    await this.#forget(key);
  }

  /** Sends each block while it reads the next one. */
  async #send(key: string, progress: Progress, blocks: AsyncIterable<Uint8Array>): Promise<void> {
    let sending: Promise<void> = Promise.resolve();
    try {
      for await (const block of blocks) {
        await sending;
        sending =
          block.length === this.partBytes ? this.#sendPart(key, progress, block) : this.#sendTail(key, progress, block);
        // The next `await sending` throws the error.
        sending.catch(() => undefined);
      }
    } finally {
      await sending;
    }
  }

  async #sendPart(key: string, progress: Progress, body: Uint8Array): Promise<void> {
    const query = { partNumber: String(progress.parts.length + 1), uploadId: progress.upload_id };
    const answer = await this.#requests.send('PUT', key, { query, body });
    const tag = answer?.headers.etag;
    if (typeof tag !== 'string') throw new S3Failure('PUT', answer?.statusCode ?? 404, 'no tag of a part');
    progress.parts.push([tag, body.length]);
    progress.tail = 0;
    await this.#save(key, progress);
  }

  async #sendTail(key: string, progress: Progress, body: Uint8Array): Promise<void> {
    await this.#requests.send('PUT', tailOf(key), { body });
    progress.tail = body.length;
    await this.#save(key, progress);
  }

  async #complete(key: string, { upload_id, parts }: Progress): Promise<void> {
    const list = parts.map(
      ([tag], at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    const answer = await this.#requests.send('POST', key, { query: { uploadId: upload_id }, body });
    // The upload may be complete already. S3 may also report an error in a response with status 200.
    const code = answer ? /<Error>[\s\S]*?<Code>([^<]*)</.exec(await answer.body.text())?.[1] : 'NoSuchUpload';
    if (code === undefined) return;
    const size = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
    if ((await this.size(key)) !== size) throw new S3Failure('POST', answer?.statusCode ?? 404, code);
  }

  async #abort(key: string, { upload_id }: Progress): Promise<void> {
    await this.#requests.send('DELETE', key, { query: { uploadId: upload_id } });
  }

  /** Deletes the state last: without it, the other objects could not be found. */
  async #forget(key: string): Promise<void> {
    await this.#requests.send('DELETE', tailOf(key));
    await this.#requests.send('DELETE', progressOf(key));
  }

  async #tail(key: string, { tail }: Progress): Promise<Uint8Array> {
    const answer = await this.#requests.send('GET', tailOf(key), { headers: { range: `bytes=0-${tail - 1}` } });
    const bytes = new Uint8Array((await answer?.body.arrayBuffer()) ?? []);
    if (bytes.length < tail) throw new Error(`The tail of an upload has ${bytes.length} bytes instead of ${tail}.`);
    return bytes.subarray(0, tail);
  }

  async #load(key: string): Promise<Progress | undefined> {
    const answer = await this.#requests.send('GET', progressOf(key));
    return answer && ((await answer.body.json()) as Progress);
  }

  async #save(key: string, progress: Progress): Promise<void> {
    await this.#requests.send('PUT', progressOf(key), { body: JSON.stringify(progress) });
  }
}

const progressOf = (key: string) => `${key}.growing`;
const tailOf = (key: string) => `${key}.tail`;
const inParts = ({ parts }: Progress) => parts.reduce((sum, [, size]) => sum + size, 0);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

async function* preceded(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
