import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ArrivingFile,
  arrivingFile,
  completeFile,
  discardFile,
  MEBIBYTE,
} from '../domains/uploads/arriving-file.ts';
import { COLLECT_PENDING_MS } from '../domains/uploads/collection-times.ts';
import { pictureFacts } from '../domains/uploads/pictures.ts';
import { enterStore } from '../domains/uploads/store-content.ts';
import { fileStore, storedAt } from '../domains/uploads/stored-file.ts';
import type { Caller } from '../kernel/callers.ts';
import type { TransactionContext } from '../kernel/context.ts';
import type { Engine } from '../kernel/engine.ts';
import { BadRequest } from '../kernel/errors.ts';
import { RealmUploadQuota } from '../kernel/file-errors.ts';
import type { StreamedFile } from '../kernel/schemas.ts';
import type { GrowingFiles } from '../ports/files.ts';
import { pathIdOf, readPathId, uploadUrl } from '../rules/uploads.ts';
import type { Upload } from '../storage/interface/uploads.ts';
import { LEASE_MS, UploadBusy, UploadLease } from './upload-lease.ts';

/** Uploads that one account has begun and not ended. Some that are begun at once may pass it. */
const MAX_UNFINISHED = 100;
/** Milliseconds that a request waits for another one to let go of an upload. */
const PATIENCE_MS = 15_000;
const RETRIED_MS = 200;

/** What is known of an upload that arrives in several requests. */
export interface UploadProgress {
  /** The end of its address, now and when it is complete. */
  pathId: string;
  name: string;
  content_type: string;
  /** Bytes that it will have. */
  size: number;
  /** Bytes that have arrived and are kept. */
  offset: number;
  /** When it is given up unless more of it arrives, milliseconds. */
  expires_ms?: number;
  /** Once it is complete. */
  sent?: { url: string; filename: string };
}

interface Taken {
  upload: Upload;
  /** Absent once it is complete. */
  size: number | undefined;
  isTaken: boolean;
  sitePath: string | undefined;
}

/** An upload with the right to write it. */
interface Held {
  upload: Upload;
  size: number;
  lease: UploadLease;
}

/**
 * Files that arrive in several requests, whichever process each of them comes to. Nobody but their owner is told that
 * there are such uploads. Refusals have the statuses of HTTP that resumable uploads have: 404, 409 (it is not so far),
 * 413, 423 (another request works on it).
 */
export class ResumableUploads {
  readonly #engine: Engine;
  /** Of requests to this process, by the ID of the upload. */
  readonly #leases = new Map<number, UploadLease>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Largest file, bytes. */
  get maxSize(): number {
    return this.#engine.options.maxUploadMebibytes * MEBIBYTE;
  }

  /** Begins an upload. @throws BadRequest, RealmUploadQuota, Unauthorized */
  async create(
    caller: Caller,
    { size, ...given }: Pick<StreamedFile, 'name' | 'type'> & { size: number },
  ): Promise<UploadProgress> {
    const growing = this.#growing();
    const { maxUploadMebibytes, uploadQuotaMebibytes: quota } = this.#engine.options;
    const upload = await this.#transact(caller, async ({ tx, actor, now }) => {
      if (size > this.maxSize) {
        throw new BadRequest(`The file is too large (limit: ${maxUploadMebibytes} MiB).`, undefined, 413);
      }
      if (quota !== null && (await tx.uploads.spaceUsed()) + size > quota * MEBIBYTE) throw new RealmUploadQuota();
      if ((await tx.resumableUploads.countOf(actor.id, MAX_UNFINISHED)) >= MAX_UNFINISHED) {
        throw new BadRequest(`You have begun ${MAX_UNFINISHED} uploads; finish some, or end them.`);
      }
      const arriving: ArrivingFile = arrivingFile(given, now);
      const id = await tx.uploads.create({ ...arriving, owner_id: actor.id });
      await tx.resumableUploads.create(id, actor.id, size);
      return { ...arriving, id };
    });
    await growing.begin(storedAt(upload));
    if (size === 0) return this.look(caller, pathIdOf(upload));
    return progressOf(upload, size, 0);
  }

  /** How far it has come. What has arrived to its last byte is completed, if that was left undone. */
  look(caller: Caller, pathId: string): Promise<UploadProgress> {
    return this.#holding(caller, pathId, async (held) => {
      const offset = await this.#offset(held);
      if (offset === held.size) return this.#finish(caller, held);
      return progressOf(held.upload, held.size, offset);
    });
  }

  /**
   * Adds what a request has. Where that breaks off, all that came is kept. Nothing of it is read before the store has
   * room for it.
   * @param offset how far it has come
   * @param length bytes of the content, where that is known
   */
  async append(
    caller: Caller,
    pathId: string,
    offset: number,
    content: AsyncIterable<Uint8Array>,
    length = 0,
  ): Promise<UploadProgress> {
    let reading: UploadLease | undefined;
    const leave = await enterStore(this.#engine, caller.userId ?? null, () => reading?.ask());
    const add = (held: Held) => {
      reading = held.lease;
      return this.#add(caller, held, offset, content, length);
    };
    try {
      return await this.#holding(caller, pathId, add, offset);
    } finally {
      leave();
    }
  }

  async #add(
    caller: Caller,
    held: Held,
    offset: number,
    content: AsyncIterable<Uint8Array>,
    length: number,
  ): Promise<UploadProgress> {
    const { upload, size, lease } = held;
    const before = await this.#offset(held);
    if (before !== offset) throw new BadRequest(`The upload is at ${before}, not at ${offset}.`, undefined, 409);
    if (offset + length > size) throw tooMuch();
    await this.#growing().append(storedAt(upload), offset, bounded(lease.pieces(content), size - offset));
    const after = await this.#offset(held);
    if (after === size) return this.#finish(caller, held);
    const expiring = { ...upload, collect_ms: this.#engine.clock.now() + COLLECT_PENDING_MS };
    return progressOf(expiring, size, after);
  }

  /** Gives an upload up. @throws BadRequest where it is complete: then it is a file like others. */
  async end(caller: Caller, pathId: string): Promise<void> {
    const { sent } = await this.#holding(caller, pathId, async ({ upload, size }) => {
      await discardFile(this.#engine, upload);
      return progressOf(upload, size, 0);
    });
    if (sent) throw new BadRequest('The upload is complete; remove the file instead.');
  }

  /** Does something while no other request writes the upload; nothing where it is complete. */
  async #holding(
    caller: Caller,
    pathId: string,
    work: (held: Held) => Promise<UploadProgress>,
    offset?: number,
  ): Promise<UploadProgress> {
    const holder = randomBytes(12).toString('hex');
    const givesUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const takenAt = performance.now();
      const { upload, size, isTaken, sitePath } = await this.#take(caller, pathId, holder);
      if (size === undefined) {
        if (offset !== undefined && offset !== upload.size) {
          throw new BadRequest(`The upload is complete; it is at ${upload.size}, not at ${offset}.`, undefined, 409);
        }
        return completed(upload, sitePath);
      }
      if (isTaken) return this.#whileHeld({ upload, size, lease: this.#begin(upload.id, holder, takenAt) }, work);
      this.#leases.get(upload.id)?.ask();
      if (performance.now() > givesUpAt) throw new UploadBusy();
      await wait(RETRIED_MS);
    }
  }

  #begin(uploadId: number, holder: string, takenAt: number): UploadLease {
    const lease = new UploadLease(this.#engine, uploadId, holder, takenAt);
    this.#leases.set(uploadId, lease);
    return lease;
  }

  async #whileHeld(held: Held, work: (held: Held) => Promise<UploadProgress>): Promise<UploadProgress> {
    const { upload, lease } = held;
    try {
      return await work(held);
    } finally {
      if (this.#leases.get(upload.id) === lease) this.#leases.delete(upload.id);
      await lease.release();
    }
  }

  /** The caller's upload, with the lease unless another request has it; one that is complete has no size to reach. */
  #take(caller: Caller, pathId: string, holder: string): Promise<Taken> {
    const address = readPathId(pathId);
    return this.#transact(caller, async ({ tx, actor, now, organization: { site_path: sitePath } }) => {
      const upload = address && (await tx.uploads.byKey(address.file_key));
      if (!upload || upload.owner_id !== actor.id || pathIdOf(upload) !== pathId) throw noUpload();
      if (upload.is_complete) return { upload, size: undefined, isTaken: false, sitePath };
      const size = await tx.resumableUploads.sizeOf(upload.id);
      // One that is sent in one request cannot be resumed.
      if (size === undefined) throw noUpload();
      const isTaken = await tx.resumableUploads.take(upload.id, holder, now, now + LEASE_MS);
      return { upload, size, isTaken, sitePath };
    });
  }

  async #offset({ upload }: Held): Promise<number> {
    const offset = await this.#growing().offset(storedAt(upload));
    // Its process died before it began to store it.
    if (offset === undefined) throw noUpload();
    return offset;
  }

  /** Once: where it was interrupted, whoever comes next does the rest. */
  async #finish(caller: Caller, { upload, size, lease }: Held): Promise<UploadProgress> {
    lease.check();
    await this.#growing().finish(storedAt(upload));
    const facts = { size, ...(await pictureFacts(this.#engine, upload, size)) };
    try {
      return await this.#transact(caller, async (context) => {
        await context.tx.resumableUploads.remove(upload.id);
        return completed(await completeFile(context, upload, facts), context.organization.site_path);
      });
    } catch (error) {
      if (error instanceof RealmUploadQuota) await discardFile(this.#engine, upload);
      throw error;
    }
  }

  #growing(): GrowingFiles {
    const { growing } = fileStore(this.#engine);
    if (!growing) throw new BadRequest('This server takes files in one request alone.', undefined, 501);
    return growing;
  }

  #transact<T>(caller: Caller, work: (context: TransactionContext<'user'>) => Promise<T>): Promise<T> {
    return this.#engine.transact({ access: 'user' }, caller, 'append', (context) =>
      work(context as TransactionContext<'user'>),
    );
  }
}

const tooMuch = () => new BadRequest('This is more than the upload was to have.', undefined, 413);
const noUpload = () => new BadRequest('There is no such upload.', undefined, 404);

function progressOf(upload: ArrivingFile, size: number, offset: number): UploadProgress {
  const { name, content_type, collect_ms } = upload;
  const expires = collect_ms === null ? {} : { expires_ms: collect_ms };
  return { pathId: pathIdOf(upload), name, content_type, size, offset, ...expires };
}

function completed(upload: Upload, sitePath: string | undefined): UploadProgress {
  const { name, content_type, size } = upload;
  const sent = { url: uploadUrl(upload, sitePath), filename: name };
  return { pathId: pathIdOf(upload), name, content_type, size, offset: size, sent };
}

/** No more than was announced. */
async function* bounded(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let left = size;
  for await (const piece of content) {
    if (piece.length > left) {
      yield piece.subarray(0, left);
      throw tooMuch();
    }
    left -= piece.length;
    yield piece;
  }
}
