import type { Readable } from 'node:stream';
import { inBlocks } from '../base/bytes.ts';
import type { AppendableStore, ByteRange, FileStore } from './files.ts';
import { S3Failure, type S3Options, S3Requests } from './s3-requests.ts';

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
class S3Files implements FileStore, AppendableStore {
  readonly #requests: S3Requests;
  readonly gathersParts = true;
  readonly appendable = this;

  constructor(options: S3Options) {
    this.#requests = new S3Requests(options);
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const blocks = inBlocks(content, PART_BYTES);
    const { value: first = new Uint8Array() } = await blocks.next();
    if (first.length < PART_BYTES) {
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
    await this.#send(key, progress, inBlocks(tail ? preceded(tail, content) : content, PART_BYTES));
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
          block.length === PART_BYTES ? this.#sendPart(key, progress, block) : this.#sendTail(key, progress, block);
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
