import { buffer } from 'node:stream/consumers';
import type { PictureFacts } from '../../adapters/images.ts';
import { BadRequest, isChatError, NoSuchFile, RateLimitHit, ServiceUnavailable } from '../../base/errors.ts';
import type { UploadedImage } from '../../markdown/data.ts';
import { THUMBNAILS, type ThumbnailName, uploadUrl } from '../../rules/uploads.ts';
import type { Upload } from '../../storage/interface/uploads.ts';
import type { Services } from '../../viewer/context.ts';
import { fileStore, PICTURE, storedAt } from './stored-file.ts';

/** Larger files are not shown as images, because the whole file is in memory while it is processed. */
const MAX_PICTURE_BYTES = 20 * 1024 * 1024;

type Facts = { [fact in keyof PictureFacts]: number | null };
const UNKNOWN: Facts = { width: null, height: null, frames: null };
const NO_PICTURE: Facts = { width: null, height: null, frames: 0 };

/** The dimensions of a stored file, if it is an image. */
export async function pictureFacts(
  services: Services,
  upload: Pick<Upload, 'file_key' | 'content_type' | 'owner_id'>,
  size: number,
): Promise<Facts> {
  if (!PICTURE.test(upload.content_type)) return UNKNOWN;
  if (size > MAX_PICTURE_BYTES) return NO_PICTURE;
  try {
    const measure = async () => services.options.images.measure(await bytesOf(services, upload));
    return await workOf(services).turns.runWhateverWaits(upload.owner_id, measure);
  } catch (error) {
    if (isChatError(error, 'BAD_IMAGE') || error instanceof NoSuchFile) return NO_PICTURE;
    // The server has no image library, so the original is shown.
    if (error instanceof BadRequest) return UNKNOWN;
    throw error;
  }
}

/** The files that messages show as images, by file key. */
export function uploadedImages(uploads: readonly Upload[], sitePath = ''): ReadonlyMap<string, UploadedImage> {
  const pictures = uploads.filter(({ content_type, frames }) => PICTURE.test(content_type) && frames !== 0);
  return new Map(pictures.map((upload) => [upload.file_key, shown(upload, sitePath)]));
}

function shown(upload: Upload, sitePath: string): UploadedImage {
  const { content_type, width, height, frames } = upload;
  if (width === null || height === null) return { content_type, thumbnail: uploadUrl(upload, sitePath) };
  const isAnimated = frames !== null && frames > 1;
  const name: ThumbnailName = isAnimated ? '840x560-anim.webp' : '840x560.webp';
  const thumbnail = `${uploadUrl(upload, sitePath, '/thumbnail')}/${name}`;
  return { content_type, thumbnail, dimensions: { width, height }, ...(isAnimated ? { isAnimated } : {}) };
}

const isThumbnail = (name: string): name is ThumbnailName => Object.hasOwn(THUMBNAILS, name);

/** The thumbnail is created on first request. @param asker account whose queue limit applies; null: without account */
export async function thumbnailOf(services: Services, upload: Upload, name: string, asker: number | null) {
  const { width, height } = upload;
  if (!isThumbnail(name) || width === null || height === null) throw new NoSuchFile();
  const key = storedAt(upload, name);
  const store = fileStore(services);
  if ((await store.size(key)) !== undefined) return key;
  const { turns, failures } = workOf(services);
  const checkMayBeMade = () => {
    const failure = failures.get(key);
    if (failure && failure.until > services.clock.now()) throw failure.error;
  };
  checkMayBeMade();
  await turns.run(asker, async () => {
    // Another request may have created it, or failed, while this one waited.
    if ((await store.size(key)) !== undefined) return;
    checkMayBeMade();
    const file = await bytesOf(services, upload);
    const bytes = await services.options.images.thumbnail(file, THUMBNAILS[name]).catch((error) => {
      if (isChatError(error, 'BAD_IMAGE')) rememberFailure(failures, key, error, services.clock.now());
      throw error;
    });
    await store.write(key, inOnePiece(bytes));
  });
  // If the file was removed in the meantime, nothing else would remove this thumbnail.
  if (!(await services.storage.read((tx) => tx.uploads.byId(upload.id)))) {
    await store.remove(key);
    throw new NoSuchFile();
  }
  return key;
}

async function* inOnePiece(bytes: Uint8Array) {
  yield bytes;
}

async function bytesOf(services: Services, upload: Pick<Upload, 'file_key'>): Promise<Uint8Array> {
  const content = await fileStore(services).read(storedAt(upload));
  if (!content) throw new NoSuchFile();
  return buffer(content);
}

/** Images are processed one at a time, and none is in memory before its turn. */
const works = new WeakMap<object, { turns: PictureQueue; failures: Failures }>();

/** Errors of thumbnails by their key, oldest first. */
type Failures = Map<string, { error: Error; until: number }>;

function workOf({ options: { images } }: Services) {
  const work = works.get(images) ?? { turns: new PictureQueue(), failures: new Map() };
  works.set(images, work);
  return work;
}

/** Waiting requests, per account and in total. Further requests are refused. */
const MAX_WAITING_PER_ACCOUNT = 100;
const MAX_WAITING = 1000;
/** Seconds until the client may retry. */
const RETRY_AFTER_S = 5;

/** A queue for work on images, one at a time. Accounts take turns, however many requests each has. */
export class PictureQueue {
  /** In the order of turns. */
  readonly #waiting = new Map<number | null, (() => Promise<void>)[]>();
  #count = 0;
  #isWorking = false;

  /** Queues the work. @throws RateLimitHit if too many requests of the account wait, ServiceUnavailable */
  run<T>(asker: number | null, work: () => Promise<T>): Promise<T> {
    if ((this.#waiting.get(asker)?.length ?? 0) >= MAX_WAITING_PER_ACCOUNT) throw new RateLimitHit(RETRY_AFTER_S);
    if (this.#count >= MAX_WAITING) {
      throw new ServiceUnavailable('Too many images are being processed.', RETRY_AFTER_S);
    }
    return this.runWhateverWaits(asker, work);
  }

  /** Like run() without limits, for work that the client cannot retry. */
  runWhateverWaits<T>(asker: number | null, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(asker) ?? [];
      this.#waiting.set(asker, own);
      own.push(() => work().then(resolve, reject));
      this.#count++;
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    // The loop also visits accounts that are added during the iteration.
    for (const [asker, own] of this.#waiting) {
      const next = own.shift();
      this.#waiting.delete(asker);
      if (own.length > 0) this.#waiting.set(asker, own);
      this.#count--;
      await next?.();
    }
    this.#isWorking = false;
  }
}

/** The decoder may have run out of time or memory, so a later attempt can succeed. */
const FAILURE_TTL_MS = 60 * 60 * 1000;
const MAX_CACHED_FAILURES = 10_000;

/** Keeps the error of a failed thumbnail, because each attempt reads and decodes the whole image. */
function rememberFailure(failures: Failures, key: string, error: Error, now: number): void {
  failures.delete(key);
  failures.set(key, { error, until: now + FAILURE_TTL_MS });
  const [oldest] = failures.keys();
  if (failures.size > MAX_CACHED_FAILURES && oldest !== undefined) failures.delete(oldest);
}
