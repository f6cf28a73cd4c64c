import type { Changes, PlainCalls, Stored } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';

const ALERTS = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' };
const { fragment } = ALERTS;

const arrange = async ({ as }: World) => {
  await as('hamlet').navigationViews.add(ALERTS);
  await as('hamlet').navigationViews.add({ fragment: 'inbox', is_pinned: false });
};

export const matrix: PlainCalls = {
  'navigationViews.add': () => ALERTS,
  'navigationViews.edit': async ({ as }) => {
    await as('hamlet').navigationViews.add(ALERTS);
    return { fragment, is_pinned: false };
  },
  'navigationViews.remove': async ({ as }) => {
    await as('hamlet').navigationViews.add(ALERTS);
    return { fragment };
  },
};

export const changes: Changes = {
  'navigationViews.add': { 'one of their own and a built-in one': arrange },
  'navigationViews.edit': {
    'another name, unpinned and pinned': async (world) => {
      await arrange(world);
      const { edit } = world.as('hamlet').navigationViews;
      await edit({ fragment, name: 'Words', is_pinned: false });
      await edit({ fragment, is_pinned: true });
      await edit({ fragment: 'inbox', is_pinned: true });
    },
  },
  'navigationViews.remove': {
    'one of two views': async (world) => {
      await arrange(world);
      await world.as('hamlet').navigationViews.remove({ fragment });
    },
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(users.map(({ id }) => tx.navigationViews.of(id)));
};
