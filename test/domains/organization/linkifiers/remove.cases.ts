import { cases } from '../../../world/case.ts';
import { addLinkifier } from './create.cases.ts';

export const removeLinkifierCases = cases('linkifiers.remove', [
  {
    name: 'removes a linkifier; everybody learns of those that are left',
    as: 'administrator',
    given: async (world) => {
      world.kept.id = await addLinkifier(world);
    },
    call: ['linkifiers.remove', ({ kept }) => ({ filter_id: kept.id })],
    events: () => ({ guest: [{ type: 'realm_linkifiers', realm_linkifiers: [] }] }),
  },
  {
    name: 'an unknown one is refused',
    as: 'administrator',
    call: ['linkifiers.remove', { filter_id: 99 }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'only administrators remove linkifiers',
    as: 'hamlet',
    call: ['linkifiers.remove', { filter_id: 99 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
