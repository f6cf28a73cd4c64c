import { ChunkList } from '../kernel/chunk-list.ts';
import type { AppendableStore } from './files.ts';
import { S3Failure, type S3Requests } from './s3-requests.ts';

/** Part size in bytes. S3 allows at most 10,000 parts, and at least 5 MiB for all but the last. */
export const PART_BYTES = 8 * 1024 * 1024;

/** State of an incomplete file, stored in an object beside it. Data that is not listed here is written again. */
interface Progress {
  upload_id: string;
  /** ETag and size of each part. */
  parts: [tag: string, size: number][];
  /** Bytes of the tail: the data after the last part, in an object of its own. That object may be longer. */
  tail: number;
}

/**
 * Files that arrive in several requests, as parts of a multipart upload. The state is in an object beside the file,
 * since not every service can list parts. Data too short for a part is in another object, so that nothing is kept in
 * memory between two requests.
 */
export class S3GrowingFiles implements AppendableStore {
  readonly #requests: S3Requests;
  readonly #sizeOf: (key: string) => Promise<number | undefined>;

  constructor(requests: S3Requests, sizeOf: (key: string) => Promise<number | undefined>) {
    this.#requests = requests;
    this.#sizeOf = sizeOf;
  }

  async begin(key: string): Promise<void> {
    const answer = await this.#requests.send('POST', key, { query: { uploads: '' } });
    const upload_id = /<UploadId>([^<]+)</.exec((await answer?.text()) ?? '')?.[1];
    if (upload_id === undefined) throw new S3Failure('POST', answer?.status ?? 404, 'no upload ID');
    await this.#save(key, { upload_id, parts: [], tail: 0 });
  }

  async offset(key: string): Promise<number | undefined> {
    const progress = await this.#load(key);
    return progress ? inParts(progress) + progress.tail : this.#sizeOf(key);
  }

  async append(key: string, offset: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const progress = await this.#load(key);
    const end = progress && inParts(progress) + progress.tail;
    if (!progress || end !== offset) throw new Error(`The file ends at ${end}, not at ${offset}.`);
    const gathered = new Gathered(progress.tail > 0 ? [await this.#tail(key, progress)] : []);
    let failure: { error: unknown } | undefined;
    // Read the next part while this one is sent.
    let sending: Promise<void> = Promise.resolve();
    try {
      for await (const piece of content) {
        gathered.add(piece);
        while (gathered.size >= PART_BYTES) {
          const part = gathered.take(PART_BYTES);
          await sending;
          sending = this.#sendPart(key, progress, part);
          sending.catch(() => undefined);
        }
      }
    } catch (error) {
      failure = { error };
    }
    await sending;
    if (gathered.size > 0) {
      await this.#requests.send('PUT', tailOf(key), { body: gathered.take(gathered.size) });
      progress.tail = gathered.taken;
      await this.#save(key, progress);
    }
    if (failure) throw failure.error;
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
  async discard(key: string): Promise<void> {
    const progress = await this.#load(key);
    if (!progress) return;
    await this.#abort(key, progress);
    await this.#forget(key);
  }

  async #sendPart(key: string, progress: Progress, body: Uint8Array): Promise<void> {
    const query = { partNumber: String(progress.parts.length + 1), uploadId: progress.upload_id };
    const answer = await this.#requests.send('PUT', key, { query, body });
    const tag = answer?.headers.get('etag');
    if (!tag) throw new S3Failure('PUT', answer?.status ?? 404, 'no tag of a part');
    progress.parts.push([tag, body.length]);
    progress.tail = 0;
    await this.#save(key, progress);
  }

  async #complete(key: string, { upload_id, parts }: Progress): Promise<void> {
    const list = parts.map(
      ([tag], at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
    const answer = await this.#requests.send('POST', key, { query: { uploadId: upload_id }, body });
    // The upload may be complete already. S3 may also report an error in a response with status 200.
    const code = answer ? /<Error>[\s\S]*?<Code>([^<]*)</.exec(await answer.text())?.[1] : 'NoSuchUpload';
    if (code === undefined) return;
    const size = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
    if ((await this.#sizeOf(key)) !== size) throw new S3Failure('POST', answer?.status ?? 404, code);
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
    const bytes = new Uint8Array((await answer?.arrayBuffer()) ?? []);
    if (bytes.length < tail) throw new Error(`The tail of an upload has ${bytes.length} bytes instead of ${tail}.`);
    return bytes.subarray(0, tail);
  }

  async #load(key: string): Promise<Progress | undefined> {
    const answer = await this.#requests.send('GET', progressOf(key));
    return answer && ((await answer.json()) as Progress);
  }

  async #save(key: string, progress: Progress): Promise<void> {
    await this.#requests.send('PUT', progressOf(key), { body: JSON.stringify(progress) });
  }
}

const progressOf = (key: string) => `${key}.growing`;
const tailOf = (key: string) => `${key}.tail`;
const inParts = ({ parts }: Progress) => parts.reduce((sum, [, size]) => sum + size, 0);
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Collects pieces of any size and returns them as blocks of the requested size. */
export class Gathered {
  /** Size of the last block, in bytes. */
  taken = 0;
  readonly #pieces = new ChunkList();

  constructor(pieces: readonly Uint8Array[] = []) {
    for (const piece of pieces) this.add(piece);
  }

  get size(): number {
    return this.#pieces.size;
  }

  add(piece: Uint8Array): void {
    this.#pieces.add(piece);
  }

  /** Removes the first bytes and returns them as one block. */
  take(bytes: number): Uint8Array {
    const whole = Buffer.allocUnsafeSlow(bytes);
    let at = 0;
    for (const piece of this.#pieces.take()) {
      const part = piece.subarray(0, bytes - at);
      whole.set(part, at);
      at += part.length;
      if (part.length < piece.length) this.#pieces.add(piece.subarray(part.length));
    }
    this.taken = bytes;
    return whole;
  }
}
