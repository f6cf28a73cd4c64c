import type { Transaction } from '../storage/interface/storage.ts';
import { VersionedCache } from './versioned-cache.ts';

/** Two are enough to know whether there is one besides the sender. */
const MAX_REMEMBERED_OWNERS = 2;

/** A transaction and its versions. */
export interface PushVersions {
  readonly tx: Transaction;
  readonly pushVersion: number;
  readonly channelsVersion: number;
  readonly afterCommit: (then: () => void) => void;
}

/**
 * Whether a recipient of a message has a device that can receive notifications. Usually known without a query, and
 * without caching lists of users.
 */
export class PushOwners {
  readonly #kept = new VersionedCache<string, readonly number[]>(20_000);

  /** Whether a participant of a conversation, except one, has a device. Participants never change. */
  async areAmong(
    versions: PushVersions,
    conversation: { id: number; participants: readonly number[] },
    exceptId: number,
  ): Promise<boolean> {
    const { id, participants } = conversation;
    return this.#isAny(versions, `conversation ${id}`, { users: participants }, exceptId);
  }

  /** Whether a subscriber of a channel, except one, has a device. */
  async areIn(versions: PushVersions, channelId: number, exceptId: number): Promise<boolean> {
    return this.#isAny(versions, `channel ${channelId}`, { channel: channelId }, exceptId);
  }

  /** Whether the user has a device. */
  async isOne(versions: PushVersions, userId: number): Promise<boolean> {
    return this.#isAny(versions, `user ${userId}`, { users: [userId] });
  }

  async #isAny(
    { tx, pushVersion, channelsVersion, afterCommit }: PushVersions,
    key: string,
    among: Parameters<Transaction['pushDevices']['someOwners']>[0],
    exceptId?: number,
  ): Promise<boolean> {
    if (pushVersion === 0) return false;
    // Both only rise, so the sum changes whenever one of them changes.
    const version = pushVersion + channelsVersion;
    let owners = this.#kept.get(version, key);
    if (!owners) {
      const found = await tx.pushDevices.someOwners(among, MAX_REMEMBERED_OWNERS);
      afterCommit(() => this.#kept.keep(version, key, found));
      owners = found;
    }
    return owners.some((id) => id !== exceptId);
  }
}
