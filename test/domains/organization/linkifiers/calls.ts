import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

const linkifiers = async ({ as }: World, ...patterns: string[]) => {
  const ids = [];
  for (const pattern of patterns)
    ids.push((await as('owner').linkifiers.create({ pattern, url_template: `https://${pattern}` })).id);
  return ids;
};

const linkifier = async (world: World) => (await linkifiers(world, 'old'))[0];

export const matrix: PlainCalls = {
  'linkifiers.create': () => ({ pattern: 'a', url_template: 'https://a.example' }),
  'linkifiers.edit': async (world) => ({
    filter_id: await linkifier(world),
    pattern: 'b',
    url_template: 'https://b.example',
  }),
  'linkifiers.remove': async (world) => ({ filter_id: await linkifier(world) }),
  'linkifiers.reorder': async (world) => ({ ordered_linkifier_ids: [await linkifier(world)] }),
};

export const changes: Changes = {
  'linkifiers.create': {
    'a linkifier': (world) => linkifiers(world, 'a'),
  },
  'linkifiers.edit': {
    'another pattern': async (world) => {
      const [filter_id] = await linkifiers(world, 'a', 'b');
      await world
        .as('owner')
        .linkifiers.edit({ filter_id: filter_id as number, pattern: 'c', url_template: 'https://c' });
    },
  },
  'linkifiers.remove': {
    'one of two linkifiers': async (world) => {
      const [filter_id] = await linkifiers(world, 'a', 'b');
      await world.as('owner').linkifiers.remove({ filter_id: filter_id as number });
    },
  },
  'linkifiers.reorder': {
    'in reverse order': async (world) => {
      const ids = await linkifiers(world, 'a', 'b');
      await world.as('owner').linkifiers.reorder({ ordered_linkifier_ids: ids.reverse() });
    },
  },
};

export const stored: Stored = (tx) => tx.linkifiers.all();
