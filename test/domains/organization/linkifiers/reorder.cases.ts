import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { addLinkifier } from './create.cases.ts';

const three = async (world: World) => {
  for (const name of ['a', 'b', 'c'])
    world.kept[name] = await addLinkifier(world, { pattern: name, url_template: `https://${name}.example` });
};
const refused = (name: string, order: (kept: World['kept']) => unknown): Case => ({
  name,
  as: 'administrator',
  given: three,
  call: ['linkifiers.reorder', ({ kept }) => ({ ordered_linkifier_ids: order(kept) })],
  refuses: { code: 'BAD_REQUEST', says: /exactly once/ },
});

export const reorderLinkifiersCases = cases('linkifiers.reorder', [
  {
    name: 'the order of linkifiers changes, and all users get the event',
    as: 'administrator',
    given: three,
    call: ['linkifiers.reorder', ({ kept: { a, b, c } }) => ({ ordered_linkifier_ids: [c, a, b] })],
    events: ({ kept: { a, b, c } }) => ({
      guest: [{ type: 'realm_linkifiers', realm_linkifiers: [{ id: c, pattern: 'c' }, { id: a }, { id: b }] }],
    }),
  },
  refused('an order without one of the linkifiers is refused', ({ a, b }) => [a, b]),
  refused('an order with one of the linkifiers twice is refused', ({ a, b }) => [a, b, b]),
  refused('an order with an unknown linkifier is refused', ({ a, b }) => [a, b, 99]),
  refused('an order of all linkifiers and an unknown one is refused', ({ a, b, c }) => [a, b, c, 99]),
  {
    name: 'an empty order without linkifiers succeeds',
    as: 'administrator',
    call: ['linkifiers.reorder', { ordered_linkifier_ids: [] }],
    events: () => ({ guest: [] }),
  },
  {
    name: 'a non-administrator is refused',
    as: 'moderator',
    call: ['linkifiers.reorder', { ordered_linkifier_ids: [] }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
