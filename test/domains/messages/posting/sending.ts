import assert from 'node:assert/strict';
import type { Case } from '../../../world/case.ts';
import type { ChannelName, UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

export const sent = { id: (id: unknown) => Number.isSafeInteger(id) };

export const posting = (to: ChannelName, more: object = {}) =>
  [
    'messages.send',
    ({ channels }: World) => ({ type: 'channel', to: channels[to], topic: 'ghosts', content: 'Boo', ...more }),
  ] as const;
export const writing = (to: UserName[], more: object = {}) =>
  [
    'messages.send',
    ({ users }: World) => ({ type: 'direct', to: to.map((name) => users[name]), content: 'Psst', ...more }),
  ] as const;

export const found = async (world: World, id: number, as: UserName = 'hamlet') =>
  (await world.as(as).messages.get({ message_id: id, apply_markdown: false, allow_empty_topic_name: true })).message;

export const stores = (
  name: string,
  call: Case['call'],
  pattern: Record<string, unknown>,
  as: UserName = 'hamlet',
): Case => ({
  name,
  as,
  call,
  returns: sent,
  state: async (world, { id }) => {
    const message = (await found(world, id, as)) as Record<string, unknown>;
    for (const [key, value] of Object.entries(pattern)) assert.deepEqual(message[key], value, key);
  },
});

export const refused = (
  name: string,
  as: Case['as'],
  call: Case['call'],
  says?: RegExp,
  given?: Case['given'],
): Case => ({
  name,
  as,
  call,
  ...(given ? { given } : {}),
  refuses: { code: 'BAD_REQUEST', ...(says ? { says } : {}) },
});

export const channelSettings = (channel: ChannelName, fields: object | ((world: World) => object)) => (world: World) =>
  world.storage.write((tx) =>
    tx.channels.update(world.channels[channel], typeof fields === 'function' ? fields(world) : fields),
  );
