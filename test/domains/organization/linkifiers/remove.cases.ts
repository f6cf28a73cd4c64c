import { cases } from '../../../world/case.ts';
import { addLinkifier } from './create.cases.ts';

export const removeLinkifierCases = cases('linkifiers.remove', [
  {
    name: 'a linkifier is removed, and all users get an event with the remaining ones',
    as: 'administrator',
    given: async (world) => {
      world.kept.id = await addLinkifier(world);
    },
    call: ['linkifiers.remove', ({ kept }) => ({ filter_id: kept.id })],
    events: () => ({ guest: [{ type: 'realm_linkifiers', realm_linkifiers: [] }] }),
  },
  {
    name: 'an unknown linkifier is refused',
    as: 'administrator',
    call: ['linkifiers.remove', { filter_id: 99 }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'a non-administrator is refused',
    as: 'hamlet',
    call: ['linkifiers.remove', { filter_id: 99 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
