import type { Services } from '../../kernel/context.ts';
import { ServiceUnavailable } from '../../kernel/errors.ts';
import type { FileStore } from '../../ports/files.ts';
import { ContentPlaces } from './content-places.ts';
import { Interruptible } from './interruptible.ts';
import { fileStore } from './stored-file.ts';

const places = new WeakMap<FileStore, ContentPlaces>();

/**
 * Waits until the store may be handed a content of the account, of which it may keep megabytes in memory.
 * Returns what is called when it has ended.
 * @param giveWay called where others have waited for long enough: the content is to end
 * @throws RateLimitHit where too many of the account wait
 */
export async function enterStore(services: Services, account: number | null, giveWay: () => void): Promise<() => void> {
  const store = fileStore(services);
  if (!store.gathersParts) return () => undefined;
  const own = places.get(store) ?? new ContentPlaces();
  places.set(store, own);
  return own.wait(account, giveWay);
}

/** Stores a whole file when its turn has come. @throws RateLimitHit where too many of the account wait, ServiceUnavailable where it takes long and others wait */
export async function storeContent(
  services: Services,
  account: number | null,
  key: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const store = fileStore(services);
  if (!store.gathersParts) return store.write(key, content);
  const reading = new Interruptible();
  const tooSlow = () => new ServiceUnavailable('Others wait to send files, and this one arrives too slowly.', 5);
  const leave = await enterStore(services, account, () => reading.interrupt(tooSlow()));
  try {
    await store.write(key, reading.pieces(content));
  } finally {
    leave();
  }
}
