import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { addPlayground } from './create.cases.ts';

export const removePlaygroundCases = cases('playgrounds.remove', [
  {
    name: 'a playground is removed, and all users get an event with the remaining ones',
    as: 'administrator',
    given: async (world) => {
      world.kept.first = await addPlayground(world);
      world.kept.second = await addPlayground(world, { name: 'Second' });
    },
    call: ['playgrounds.remove', ({ kept }) => ({ playground_id: kept.first })],
    events: ({ kept }) => ({ guest: [{ type: 'realm_playgrounds', realm_playgrounds: [{ id: kept.second }] }] }),
    state: async (world) => {
      const { realm_playgrounds } = await world.as('guest').register({ fetch_event_types: ['realm_playgrounds'] });
      assert.deepEqual(
        (realm_playgrounds as { id: number }[]).map(({ id }) => id),
        [world.kept.second],
      );
    },
  },
  {
    name: 'an unknown playground is refused',
    as: 'administrator',
    call: ['playgrounds.remove', { playground_id: 99 }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'only administrators remove playgrounds',
    as: 'hamlet',
    call: ['playgrounds.remove', { playground_id: 99 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
