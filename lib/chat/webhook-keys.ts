import { createHash } from 'node:crypto';
import { Unauthorized } from '../base/errors.ts';
import type { Caller } from '../engine/callers.ts';
import { deriveApiKey } from '../rules/credentials.ts';
import { isIncomingWebhook } from '../rules/roles.ts';
import type { Storage } from '../storage/interface/storage.ts';

/** The caller of an API key. Every call checks whether the account still has the key. */
type KeyHolder = { userId: number } & Required<Pick<Caller, 'keyGeneration'>>;

/**
 * Finds the incoming-webhook bot of an API key in a URL, which names no account. Keys are derived and not stored, so it
 * derives those of all these bots, and again when accounts have changed. It looks up digests, because a comparison of
 * the keys themselves could reveal them by its time.
 */
export class WebhookKeys {
  #usersVersion = -1;
  #holders: ReadonlyMap<string, KeyHolder> = new Map();
  /** Digests of keys by account and generation. */
  #digests: ReadonlyMap<string, string> = new Map();

  constructor(private readonly storage: Pick<Storage, 'read'>) {}

  /** @throws Unauthorized */
  async holderOf(apiKey: string): Promise<KeyHolder> {
    const digest = digestOf(apiKey.trim());
    if (!this.#holders.has(digest)) await this.#read();
    const holder = this.#holders.get(digest);
    if (!holder) throw new Unauthorized('The api_key in the URL does not belong to an incoming-webhook bot.');
    return holder;
  }

  #read(): Promise<void> {
    return this.storage.read(async (tx) => {
      const organization = await tx.organization.get();
      const version = (await tx.organization.versions())?.users_version ?? 0;
      if (!organization || version === this.#usersVersion) return;
      const bots = (await tx.users.bots(Number.MAX_SAFE_INTEGER)).filter(isIncomingWebhook);
      const digests = bots.map(({ id, key_generation }): [string, string, KeyHolder] => {
        const key = `${id}:${key_generation}`;
        const known = this.#digests.get(key);
        const digest = known ?? digestOf(deriveApiKey(organization.secret, id, key_generation));
        return [key, digest, { userId: id, keyGeneration: key_generation }];
      });
      this.#digests = new Map(digests.map(([key, digest]) => [key, digest]));
      this.#holders = new Map(digests.map(([, digest, holder]) => [digest, holder]));
      this.#usersVersion = version;
    });
  }
}

const digestOf = (key: string) => createHash('sha256').update(key).digest('base64url');
