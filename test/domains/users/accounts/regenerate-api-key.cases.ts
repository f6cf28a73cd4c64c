import assert from 'node:assert/strict';
import { transportOf } from '../../../../lib/internal.ts';
import { cases } from '../../../world/case.ts';

export const regenerateApiKeyCases = cases('users.regenerateApiKey', [
  {
    name: 'a user gets a new API key, and the old one stops working',
    as: 'cordelia',
    given: async (world) => {
      const key = await world.chat.apiKeyOf(world.users.cordelia);
      await transportOf(world.chat).authenticate(world.emails.cordelia, key);
      oldKeys.set(world, key);
    },
    call: ['users.regenerateApiKey'],
    returns: { api_key: /^[A-Za-z0-9]{32}$/ },
    state: async (world, { api_key }) => {
      assert.notEqual(api_key, oldKeys.get(world));
      const { userId } = await transportOf(world.chat).authenticate(world.emails.cordelia, api_key);
      assert.equal(userId, world.users.cordelia);
    },
  },
  {
    name: 'B13: a bot gets a new API key, and no event carries it',
    as: 'bot',
    call: ['users.regenerateApiKey'],
    events: () => ({ hamlet: [], owner: [] }),
    state: async (world, { api_key }) => assert.equal(await world.chat.apiKeyOf(world.users.bot), api_key),
  },
]);

const oldKeys = new WeakMap<object, string>();
