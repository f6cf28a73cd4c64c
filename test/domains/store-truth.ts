import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Session } from '../../lib/chat/session.ts';
import { type ChatError, isChatError } from '../../lib/index.ts';
import { type FedStore, feedStore, snapshot } from '../client/store/snapshot.ts';
import type { World } from '../world/world.ts';
import { type Following, type NamedChange, playTogether } from './joint-changes.ts';
import { type Observer, ORGANIZATIONS } from './truth.ts';

const OBSERVERS = ['hamlet', 'guest', 'another guest', 'the guest', 'a member', 'owner'];

/**
 * One test for each group of changes in each organization.
 * @param options.alternates the groups take turns in the organizations
 */
export function testStoreTruth(
  groups: readonly (readonly NamedChange[])[],
  { alternates = false }: { alternates?: boolean } = {},
): void {
  describe('a client store with events equals a new store', () => {
    for (const [turn, [organization, prepare]] of Object.entries(ORGANIZATIONS).entries()) {
      const hidesUsers = organization !== Object.keys(ORGANIZATIONS)[0];
      const count = Object.keys(ORGANIZATIONS).length;
      for (const group of groups.filter((_, at) => !alternates || at % count === turn)) {
        const names = group.map(({ name }) => name).join(', ');
        test(`a store equals a new one where ${organization}, after ${names}`, async () => {
          await playTogether(group, async (world) => {
            const observers = (await prepare(world)).filter(({ name }) => OBSERVERS.includes(name));
            return Stores.start(world, observers, { hidesUsers });
          });
        });
      }
    }
  });
}

interface Follower {
  name: string;
  session: Session;
  /** Undefined after the account was deactivated. */
  fed: FedStore | undefined;
}

/** Stores that follow a world by events alone. */
class Stores implements Following {
  readonly #world: World;
  readonly #followers: Follower[] = [];
  readonly #options: { hidesUsers: boolean };

  private constructor(world: World, options: { hidesUsers: boolean }) {
    this.#world = world;
    this.#options = options;
  }

  static async start(world: World, observers: readonly Observer[], options: { hidesUsers: boolean }): Promise<Stores> {
    const stores = new Stores(world, options);
    for (const { name, id } of observers) {
      const session = world.chat.as(id);
      stores.#followers.push({ name, session, fed: await feedStore(session, narrowsOf(world)) });
    }
    return stores;
  }

  async take(): Promise<string[]> {
    const ended: string[] = [];
    for (const follower of this.#followers) {
      if (!follower.fed || (await delivered(follower.fed))) continue;
      ended.push(follower.name);
      follower.fed = await feedStore(follower.session, narrowsOf(this.#world)).catch(onlyEnded);
    }
    return ended;
  }

  async compare(): Promise<void> {
    const active = this.#followers.filter(({ fed }) => fed);
    assert.ok(active.length > 0);
    for (const { name, session, fed } of active) {
      const fresh = await feedStore(session, narrowsOf(this.#world));
      const [told, found] = [snapshot(fed as FedStore, this.#options), snapshot(fresh, this.#options)];
      for (const key of Object.keys(found)) {
        assert.deepEqual(told[key], withoutUnannounced(found[key], told[key]), `${key} of ${name}`);
      }
      await fresh.close();
      await fed?.close();
    }
  }
}

/** False if the queue ended or the account was deactivated. The store must then register again. */
async function delivered(fed: FedStore): Promise<boolean> {
  try {
    await fed.deliver();
    return true;
  } catch (error) {
    onlyEnded(error);
    return false;
  }
}

function onlyEnded(error: unknown): undefined {
  if (isChatError(error) && ENDED.includes(String((error as ChatError).code))) return;
  throw error;
}

const ENDED = ['BAD_EVENT_QUEUE_ID', 'UNAUTHORIZED', 'USER_DEACTIVATED'];

function narrowsOf({ channels, users }: World) {
  return [
    { view: 'all' },
    { view: 'mentions' },
    { view: 'starred' },
    { channelId: channels.public },
    { channelId: channels.public, topic: 'ghosts' },
    { channelId: channels.shared },
    { userIds: [users.cordelia] },
  ] as const;
}

interface ListView {
  error?: Error;
  messages: { id: number; last_moved_timestamp?: number; flags: string[] }[];
}

/**
 * Removes differences that a store cannot know. A conversation with a hidden user is refused. Users who could not see a
 * message before its move get no event of it: they find it when they open its topic.
 */
function withoutUnannounced(found: unknown, told: unknown): unknown {
  if (typeof found !== 'object' || found === null || !('messages' in found)) return found;
  const [list, before] = [found as ListView, told as ListView];
  if (list.error) return told;
  const known = new Set(before.messages.map(({ id }) => id));
  const messages = list.messages.filter(
    ({ id, last_moved_timestamp, flags }) =>
      known.has(id) || last_moved_timestamp === undefined || !flags.includes('read'),
  );
  return { ...list, messages };
}
