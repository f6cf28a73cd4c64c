import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

const playground = ({ as }: World, pygments_language: string) =>
  as('owner').playgrounds.create({ name: 'Site', pygments_language, url_template: 'https://a.example/{code}' });

export const matrix: PlainCalls = {
  'playgrounds.create': () => ({ name: 'a', pygments_language: 'b', url_template: 'https://a.example/{code}' }),
  'playgrounds.remove': async ({ as }) => ({
    playground_id: (
      await as('owner').playgrounds.create({
        name: 'a',
        pygments_language: 'b',
        url_template: 'https://a.example/{code}',
      })
    ).id,
  }),
};

export const changes: Changes = {
  'playgrounds.create': {
    'a playground': (world) => playground(world, 'Python'),
  },
  'playgrounds.remove': {
    'one of two playgrounds': async (world) => {
      const { id: playground_id } = await playground(world, 'Python');
      await playground(world, 'Rust');
      await world.as('owner').playgrounds.remove({ playground_id });
    },
  },
};

export const stored: Stored = (tx) => tx.playgrounds.all();
