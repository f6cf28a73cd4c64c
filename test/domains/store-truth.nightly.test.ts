import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ChatError, isChatError } from '../../lib/index.ts';
import { type FedStore, feedStore, snapshot } from '../client/store/snapshot.ts';
import { UNSEEN } from '../world/calls.ts';
import { sqliteEngine } from '../world/copies.ts';
import type { World } from '../world/world.ts';
import { changes } from './tables.ts';
import { ORGANIZATIONS } from './truth.ts';

const OBSERVERS = ['hamlet', 'guest', 'another guest', 'the guest', 'a member', 'owner'];

describe('a client store with events equals a new store', () => {
  for (const [organization, prepare] of Object.entries(ORGANIZATIONS)) {
    for (const [operation, ofOperation] of Object.entries(changes)) {
      for (const [what, change] of Object.entries(ofOperation === UNSEEN ? {} : ofOperation)) {
        test(`a store equals a new one after ${operation}, where ${organization}: ${what}`, async () => {
          const world = await sqliteEngine.world();
          try {
            const observers = (await prepare(world)).filter(({ name }) => OBSERVERS.includes(name));
            const stores = [];
            for (const { name, id } of observers) {
              const session = world.chat.as(id);
              stores.push({ name, session, fed: await feedStore(session, narrowsOf(world)) });
            }
            await change(world);
            let compared = 0;
            for (const { name, session, fed } of stores) {
              if (!(await delivered(fed))) continue;
              compared++;
              const fresh = await feedStore(session, narrowsOf(world));
              const hidesUsers = organization !== Object.keys(ORGANIZATIONS)[0];
              const [told, found] = [snapshot(fed, { hidesUsers }), snapshot(fresh, { hidesUsers })];
              for (const key of Object.keys(found)) {
                assert.deepEqual(told[key], withoutUnannounced(found[key], told[key]), `${key} of ${name}`);
              }
              await fresh.close();
              await fed.close();
            }
            assert.ok(compared > 0);
          } finally {
            await world.close();
          }
        });
      }
    }
  }
});

/** False if the queue ended or the account was deactivated, and the store must register again. */
async function delivered(fed: FedStore): Promise<boolean> {
  try {
    await fed.deliver();
    return true;
  } catch (error) {
    if (isChatError(error) && ENDED.includes(String((error as ChatError).code))) return false;
    throw error;
  }
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
 * What a store cannot know. A conversation with a user who was hidden is refused. And no event goes to users who could
 * not see a message before it moved: they find it when they open its topic.
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
