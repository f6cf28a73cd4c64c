import { cases } from '../../../world/case.ts';
import { addPlayground } from './create.cases.ts';

export const listPlaygroundsCases = cases('playgrounds.list', [
  {
    name: 'any user gets all playgrounds in the order of their creation',
    as: 'guest',
    given: async (world) => {
      await addPlayground(world);
      await addPlayground(world, { name: 'Another' });
    },
    call: ['playgrounds.list'],
    returns: { realm_playgrounds: [{ name: 'Python playground', pygments_language: 'Python' }, { name: 'Another' }] },
  },
  {
    name: 'an organization without playgrounds gives an empty list',
    as: 'guest',
    call: ['playgrounds.list'],
    returns: { realm_playgrounds: [] },
  },
]);
