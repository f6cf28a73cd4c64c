import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppendableStore } from '../adapters/files.ts';
import { BadRequest, RealmUploadQuota } from '../base/errors.ts';
import type { StreamedFile } from '../base/schemas.ts';
import { pictureFacts } from '../domains/uploads/pictures.ts';
import { enterStore } from '../domains/uploads/store-content.ts';
import {
  type ArrivingFile,
  arrivingFile,
  COLLECT_PENDING_MS,
  checkQuota,
  completeFile,
  discardFile,
  fileStore,
  MEBIBYTE,
  storedAt,
} from '../domains/uploads/stored-file.ts';
import type { Caller } from '../engine/callers.ts';
import type { Engine } from '../engine/engine.ts';
import { untilAnswered } from '../engine/idempotency.ts';
import { pathIdOf, readPathId, uploadUrl } from '../rules/uploads.ts';
import type { Upload } from '../storage/interface/uploads.ts';
import type { TransactionContext } from '../viewer/context.ts';
import { LEASE_MS, UploadBusy, UploadLease } from './upload-lease.ts';

/** Unfinished uploads per account. A soft limit: concurrent requests may exceed it. */
const MAX_UNFINISHED = 100;
/** Time that a request waits for the lease of another request, in milliseconds. */
const LEASE_TIMEOUT_MS = 15_000;
const RETRY_INTERVAL_MS = 200;

/** State of a resumable upload. */
export interface UploadProgress {
  /** Path ID: the same before and after completion. */
  pathId: string;
  name: string;
  content_type: string;
  /** Total size in bytes. */
  size: number;
  /** Bytes stored so far. */
  offset: number;
  /** Time when it expires unless more data arrives, in milliseconds since the epoch. */
  expires_ms?: number;
  /** Only when it is complete. */
  sent?: { url: string; filename: string };
}

/** The content of a request. */
interface UploadPart {
  /** Expected current offset of the upload in bytes. */
  offset: number;
  content: AsyncIterable<Uint8Array>;
  /** Size of the content in bytes, if known. */
  length?: number;
}

/** An upload whose lease this request holds. */
interface LeasedUpload {
  upload: ArrivingFile & Pick<Upload, 'id' | 'owner_id'>;
  size: number;
  lease: UploadLease;
}

/**
 * Resumable uploads: files that arrive in several requests, to any process. Only their owner can see them. Errors have
 * the HTTP statuses of the tus protocol: 404, 409 (wrong offset), 413, 423 (another request holds the lease).
 */
export class ResumableUploads {
  readonly #engine: Engine;
  /** Leases of requests to this process, by upload ID. */
  readonly #leases = new Map<number, UploadLease>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Size limit of a file, in bytes. */
  get maxSize(): number {
    return this.#engine.options.maxUploadMebibytes * MEBIBYTE;
  }

  /**
   * Starts an upload. Repeated with the same key, returns the state of the upload that the first call has started.
   * @throws BadRequest, RealmUploadQuota, Unauthorized, IdempotencyKeyReused
   */
  async create(
    caller: Caller,
    {
      size,
      idempotency_key,
      ...given
    }: Pick<StreamedFile, 'name' | 'type'> & { size: number; idempotency_key?: string | undefined },
  ): Promise<UploadProgress> {
    const growing = this.#growing();
    const { maxUploadMebibytes } = this.#engine.options;
    const holder = newHolder();
    const takenAt = performance.now();
    // Not `append`: two uploads that start together must not pass a limit that has room for one.
    const begin = async (context: TransactionContext<'user'>) => {
      const { tx, actor, now } = context;
      if (size > this.maxSize) {
        throw new BadRequest(`The file is too large (limit: ${maxUploadMebibytes} MiB).`, undefined, 413);
      }
      await checkQuota(context, size);
      if ((await tx.resumableUploads.countOf(actor.id, MAX_UNFINISHED)) >= MAX_UNFINISHED) {
        throw new BadRequest(
          `You have ${MAX_UNFINISHED} unfinished uploads, the largest number allowed. Finish or cancel some of them.`,
        );
      }
      const arriving: ArrivingFile = arrivingFile(given, now);
      const id = await tx.uploads.create({ ...arriving, owner_id: actor.id });
      await tx.resumableUploads.create(id, actor.id, size);
      // A repeated call waits until the file is there.
      await tx.resumableUploads.acquire(id, holder, now, now + LEASE_MS);
      return { ...arriving, id, owner_id: actor.id };
    };
    const parameters = { ...given, size, idempotency_key };
    const call = await this.#engine.idempotencyKeys.callOf({ name: 'uploads.send (resumable)' }, parameters);
    const work = call?.once(begin) ?? begin;
    const upload = await untilAnswered(() => this.#transact(caller, 'write', work));
    if (!call?.isRepeated) {
      const lease = new UploadLease(this.#engine, upload.id, holder, takenAt);
      await this.#leased({ upload, size, lease }, async () => {
        lease.check();
        await growing.begin(storedAt(upload));
      });
      if (size > 0) return progressOf(upload, size, 0);
    }
    return this.look(caller, pathIdOf(upload));
  }

  /** The state of an upload. If all bytes are stored, completes it. */
  look(caller: Caller, pathId: string): Promise<UploadProgress> {
    return this.#holding(caller, pathId, async (held) => {
      const offset = await this.#offset(held);
      if (offset === held.size) return this.#finish(caller, held);
      return progressOf(held.upload, held.size, offset);
    });
  }

  /**
   * Appends the content of a request. If the connection breaks, the received bytes are kept. Starts to read only when
   * the file store has capacity.
   */
  async append(caller: Caller, pathId: string, part: UploadPart): Promise<UploadProgress> {
    let reading: UploadLease | undefined;
    const leave = await enterStore(this.#engine, caller.userId ?? null, () => reading?.ask());
    const add = (held: LeasedUpload) => {
      reading = held.lease;
      return this.#add(caller, held, part);
    };
    try {
      return await this.#holding(caller, pathId, add, part.offset);
    } finally {
      leave();
    }
  }

  async #add(caller: Caller, held: LeasedUpload, { offset, content, length = 0 }: UploadPart): Promise<UploadProgress> {
    const { upload, size, lease } = held;
    const before = await this.#offset(held);
    if (before !== offset)
      throw new BadRequest(
        `The offset of the upload is ${before}, not ${offset}. Continue at ${before}.`,
        undefined,
        409,
      );
    if (offset + length > size) throw tooMuch();
    await this.#growing().append(storedAt(upload), offset, bounded(lease.pieces(content), size - offset));
    const after = await this.#offset(held);
    if (after === size) return this.#finish(caller, held);
    // The login may have ended while the content arrived. The bytes stay for the next login.
    await this.#transact(caller, 'read', async () => undefined);
    const expiring = { ...upload, collect_ms: this.#engine.clock.now() + COLLECT_PENDING_MS };
    return progressOf(expiring, size, after);
  }

  /** Cancels an upload. @throws BadRequest if it is complete: then it is a normal file */
  async end(caller: Caller, pathId: string): Promise<void> {
    let isCanceled = false;
    await this.#holding(caller, pathId, async ({ upload, size }) => {
      isCanceled = await discardFile(this.#engine, upload);
      return progressOf(upload, size, 0);
    });
    if (!isCanceled) throw new BadRequest('The upload is already complete. Delete the file instead.');
  }

  /** Runs work with the lease of the upload. If the upload is complete, only returns its state. */
  async #holding(
    caller: Caller,
    pathId: string,
    work: (held: LeasedUpload) => Promise<UploadProgress>,
    offset?: number,
  ): Promise<UploadProgress> {
    const holder = newHolder();
    const givesUpAt = performance.now() + LEASE_TIMEOUT_MS;
    for (;;) {
      const takenAt = performance.now();
      const { upload, size, isTaken, sitePath } = await this.#take(caller, pathId, holder);
      if (size === undefined) {
        if (offset !== undefined && offset !== upload.size) {
          throw new BadRequest(`The upload is complete: its offset is ${upload.size}, not ${offset}.`, undefined, 409);
        }
        return completed(upload, sitePath);
      }
      if (isTaken) {
        return this.#leased({ upload, size, lease: new UploadLease(this.#engine, upload.id, holder, takenAt) }, work);
      }
      this.#leases.get(upload.id)?.ask();
      if (performance.now() > givesUpAt) throw new UploadBusy();
      await wait(RETRY_INTERVAL_MS);
    }
  }

  /** Runs work with a lease and releases it. */
  async #leased<T>(held: LeasedUpload, work: (held: LeasedUpload) => Promise<T>): Promise<T> {
    const { upload, lease } = held;
    this.#leases.set(upload.id, lease);
    try {
      return await work(held);
    } finally {
      if (this.#leases.get(upload.id) === lease) this.#leases.delete(upload.id);
      await lease.release();
    }
  }

  /** Finds the caller's upload and takes its lease, unless another request holds it. `size`: undefined if complete. */
  #take(caller: Caller, pathId: string, holder: string) {
    const address = readPathId(pathId);
    return this.#transact(caller, 'append', async ({ tx, actor, now, organization: { site_path: sitePath } }) => {
      const find = async () => address && (await tx.uploads.byKey(address.file_key));
      let upload = await find();
      if (!upload || upload.owner_id !== actor.id || pathIdOf(upload) !== pathId) throw noUpload();
      const size = upload.is_complete ? undefined : await tx.resumableUploads.sizeOf(upload.id);
      if (size === undefined) {
        // Another process may have completed it after the first statement.
        if (!upload.is_complete) upload = await find();
        // An upload in a single request cannot be resumed.
        if (!upload?.is_complete) throw noUpload();
        return { upload, size, isTaken: false, sitePath };
      }
      const isTaken = await tx.resumableUploads.acquire(upload.id, holder, now, now + LEASE_MS);
      return { upload, size, isTaken, sitePath };
    });
  }

  /** Creates the file if the process that accepted the upload has crashed before. */
  async #offset({ upload }: LeasedUpload): Promise<number> {
    const growing = this.#growing();
    const key = storedAt(upload);
    const offset = await growing.offset(key);
    if (offset === undefined) await growing.begin(key);
    return offset ?? 0;
  }

  /** Completes the upload. Idempotent: if it is interrupted, the next request completes it. */
  async #finish(caller: Caller, { upload, size, lease }: LeasedUpload): Promise<UploadProgress> {
    lease.check();
    await this.#growing().finish(storedAt(upload));
    const facts = { size, ...(await pictureFacts(this.#engine, upload, size)) };
    try {
      return await this.#transact(caller, 'append', async (context) => {
        await context.tx.resumableUploads.remove(upload.id);
        return completed(await completeFile(context, upload, facts), context.organization.site_path);
      });
    } catch (error) {
      if (error instanceof RealmUploadQuota) await discardFile(this.#engine, upload);
      throw error;
    }
  }

  #growing(): AppendableStore {
    const { appendable: growing } = fileStore(this.#engine);
    if (!growing)
      throw new BadRequest(
        'This server does not support resumable uploads. Send the file in one request.',
        undefined,
        501,
      );
    return growing;
  }

  #transact<T>(
    caller: Caller,
    effect: 'read' | 'append' | 'write',
    work: (context: TransactionContext<'user'>) => Promise<T>,
  ): Promise<T> {
    return this.#engine.transact({ access: 'user', scope: 'write', forRooms: true }, caller, effect, (context) =>
      work(context as TransactionContext<'user'>),
    );
  }
}

const newHolder = () => randomBytes(12).toString('hex');

const tooMuch = () => new BadRequest('The content exceeds the announced size of the upload.', undefined, 413);
const noUpload = () => new BadRequest('There is no such upload. Start a new one.', undefined, 404);

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

/** Fails if the content exceeds the announced size. */
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
