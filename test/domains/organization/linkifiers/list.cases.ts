import { cases } from '../../../world/case.ts';
import { addLinkifier } from './create.cases.ts';

export const listLinkifiersCases = cases('linkifiers.list', [
  {
    name: 'a new organization has no linkifiers',
    as: 'hamlet',
    call: ['linkifiers.list'],
    returns: { linkifiers: [] },
  },
  {
    name: 'a guest gets the linkifiers in the order of their use',
    as: 'guest',
    given: async (world) => {
      const [first, second] = [
        await addLinkifier(world, { pattern: 'a', url_template: 'https://a.example' }),
        await addLinkifier(world, { pattern: 'b', url_template: 'https://b.example' }),
      ];
      await world.as('owner').linkifiers.reorder({ ordered_linkifier_ids: [second, first] });
    },
    call: ['linkifiers.list'],
    returns: { linkifiers: [{ pattern: 'b', url_template: 'https://b.example' }, { pattern: 'a' }] },
  },
]);
