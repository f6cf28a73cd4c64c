import type { FileStore } from '../../adapters/files.ts';
import type { Services } from '../../kernel/context.ts';
import { ServiceUnavailable } from '../../kernel/errors.ts';
import { ContentPlaces } from './content-places.ts';
import { Interruptible } from './interruptible.ts';
import { fileStore } from './stored-file.ts';

const places = new WeakMap<FileStore, ContentPlaces>();

/**
 * Waits until the store can accept an upload of the account, of which it may keep megabytes in memory.
 * @param giveWay called when the upload must end, because others have waited long enough
 * @returns a function to call at the end of the upload
 * @throws RateLimitHit if too many uploads of the account wait
 */
export async function enterStore(services: Services, account: number | null, giveWay: () => void): Promise<() => void> {
  const store = fileStore(services);
  if (!store.gathersParts) return () => undefined;
  const own = places.get(store) ?? new ContentPlaces();
  places.set(store, own);
  return own.wait(account, giveWay);
}

/** Stores a whole file. @throws RateLimitHit if too many uploads of the account wait, ServiceUnavailable if too slow */
export async function storeContent(
  services: Services,
  account: number | null,
  key: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const store = fileStore(services);
  if (!store.gathersParts) return store.write(key, content);
  const reading = new Interruptible();
  const tooSlow = () =>
    new ServiceUnavailable('The upload is too slow, and other uploads are waiting. Try again later.', 5);
  const leave = await enterStore(services, account, () => reading.interrupt(tooSlow()));
  try {
    await store.write(key, reading.pieces(content));
  } finally {
    leave();
  }
}
