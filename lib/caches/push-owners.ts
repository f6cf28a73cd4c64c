import type { Transaction } from '../storage/interface/storage.ts';
import { VersionedCache } from './versioned-cache.ts';

/** Enough to know whether there is one beside the sender. */
const SOME = 2;

/** What a transaction has read of the versions. */
export interface PushVersions {
  readonly tx: Transaction;
  readonly pushVersion: number;
  readonly channelsVersion: number;
  readonly afterCommit: (then: () => void) => void;
}

/**
 * Whether anybody who receives a message has a device that can be notified: nearly always known without asking the
 * database, and without keeping lists of people.
 */
export class PushOwners {
  readonly #kept = new VersionedCache<string, readonly number[]>(20_000);

  /** Whether somebody who takes part in a conversation, but for one, has a device. Its participants never change. */
  async areAmong(
    versions: PushVersions,
    conversation: { id: number; participants: readonly number[] },
    exceptId: number,
  ): Promise<boolean> {
    const { id, participants } = conversation;
    return this.#isAny(versions, `conversation ${id}`, { users: participants }, exceptId);
  }

  /** Likewise somebody who is subscribed to a channel. */
  async areIn(versions: PushVersions, channelId: number, exceptId: number): Promise<boolean> {
    return this.#isAny(versions, `channel ${channelId}`, { channel: channelId }, exceptId);
  }

  /** Whether somebody has a device. */
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
    // Neither ever falls, so their sum is another one whenever one of them is.
    const version = pushVersion + channelsVersion;
    let owners = this.#kept.get(version, key);
    if (!owners) {
      const found = await tx.pushDevices.someOwners(among, SOME);
      afterCommit(() => this.#kept.keep(version, key, found));
      owners = found;
    }
    return owners.some((id) => id !== exceptId);
  }
}
