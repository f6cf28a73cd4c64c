import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { ByteRange, FileStore } from './files.ts';
import { Gathered, PART_BYTES, S3GrowingFiles } from './s3-appendable-store.ts';
import { type S3Options, S3Requests } from './s3-requests.ts';

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

class S3Files implements FileStore {
  readonly #requests: S3Requests;
  readonly gathersParts = true;
  readonly appendable: S3GrowingFiles;

  constructor(options: S3Options) {
    this.#requests = new S3Requests(options);
    this.appendable = new S3GrowingFiles(this.#requests, (key) => this.size(key));
  }

  async write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const iterator = content[Symbol.asyncIterator]();
    const first = new Gathered();
    let isWhole = false;
    while (!isWhole && first.size < PART_BYTES) {
      const next = await iterator.next();
      if (next.done) isWhole = true;
      else first.add(next.value);
    }
    const bytes = first.take(first.size);
    if (isWhole) {
      await this.#requests.send('PUT', key, { body: bytes });
      return;
    }
    await this.appendable.begin(key);
    try {
      await this.appendable.append(key, 0, continued(bytes, iterator));
      await this.appendable.finish(key);
    } catch (error) {
      // If this fails too, the chat removes the parts later.
      await this.appendable.discard(key).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : undefined;
    const answer = await this.#requests.send('GET', key, headers ? { headers } : {});
    if (!answer) return undefined;
    return answer.body ? Readable.fromWeb(answer.body as ReadableStream<Uint8Array>) : Readable.from([]);
  }

  async size(key: string): Promise<number | undefined> {
    const answer = await this.#requests.send('HEAD', key);
    return answer && Number(answer.headers.get('content-length') ?? 0);
  }

  async remove(key: string): Promise<void> {
    await this.appendable.discard(key);
    await this.#requests.send('DELETE', key);
  }
}

async function* continued(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
