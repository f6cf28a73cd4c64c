import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

const SOUP = { type: '' as const, to: [] as number[], topic: '', content: 'Soup' };

const begin = async ({ as }: World, ...contents: string[]) =>
  (await as('hamlet').drafts.create({ drafts: contents.map((content) => ({ ...SOUP, content })) })).ids;

export const matrix: PlainCalls = {
  'drafts.create': ({ channels }) => ({
    drafts: [{ type: 'stream', to: [channels.protected], topic: 'gold', content: 'Nine' }],
  }),
  'drafts.edit': async (world) => ({ draft_id: (await begin(world, 'a'))[0], draft: SOUP }),
  'drafts.remove': async (world) => ({ draft_id: (await begin(world, 'a'))[0] }),
};

export const changes: Changes = {
  'drafts.create': {
    'a channel draft and a direct draft, edited at different times': ({ as, channels, users }) =>
      as('hamlet').drafts.create({
        drafts: [
          { ...SOUP, type: 'stream', to: [channels.public], topic: 'lunch', timestamp: 9 },
          { ...SOUP, type: 'private', to: [users.cordelia, users.hamlet], timestamp: 12 },
        ],
      }),
  },
  'drafts.edit': {
    'the older of two drafts, which becomes the first': async (world) => {
      const [first = 0] = await begin(world, 'a', 'b');
      world.clock.advance({ seconds: 5 });
      await world.as('hamlet').drafts.edit({ draft_id: first, draft: { ...SOUP, content: 'c' } });
    },
  },
  'drafts.remove': {
    'one of two drafts': async (world) => {
      const [first = 0] = await begin(world, 'a', 'b');
      await world.as('hamlet').drafts.remove({ draft_id: first });
    },
    'all drafts by the setting, and another draft after it': async (world) => {
      await begin(world, 'a', 'b');
      await world.as('hamlet').settings.edit({ enable_drafts_synchronization: false });
      await world.as('hamlet').settings.edit({ enable_drafts_synchronization: true });
      await begin(world, 'c');
    },
  },
};

export const statements: ScalingCalls = {
  'drafts.create': {
    'as many drafts as accounts, up to the limit of a call': ({ world, crowded, users }) =>
      world.as('hamlet').drafts.create({
        drafts: users
          .slice(0, 100)
          .map((_, at) =>
            at % 2 === 0
              ? { type: 'stream', to: [crowded], topic: `${at}`, content: 'x' }
              : { type: 'private', to: users, topic: '', content: 'x' },
          ),
      }),
  },
  'drafts.edit': async ({ world, users }) => {
    const [draft_id = 0] = await begin(world, 'a');
    await world.as('hamlet').drafts.edit({ draft_id, draft: { ...SOUP, type: 'private', to: users } });
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.drafts.of(id)));
};
