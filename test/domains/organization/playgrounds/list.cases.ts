import { cases } from '../../../world/case.ts';
import { addPlayground } from './create.cases.ts';

export const listPlaygroundsCases = cases('playgrounds.list', [
  {
    name: 'lists them all to anybody, in the order in which they came',
    as: 'guest',
    given: async (world) => {
      await addPlayground(world);
      await addPlayground(world, { name: 'Another' });
    },
    call: ['playgrounds.list'],
    returns: { realm_playgrounds: [{ name: 'Python playground', pygments_language: 'Python' }, { name: 'Another' }] },
  },
  { name: 'there may be none', as: 'guest', call: ['playgrounds.list'], returns: { realm_playgrounds: [] } },
]);
