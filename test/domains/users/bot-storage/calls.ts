import { type Changes, type PlainCalls, type ScalingCalls, type Stored, UNSEEN } from '../../../world/calls.ts';

export const matrix: PlainCalls = {
  'botStorage.get': async ({ as }) => {
    await as('hamlet').botStorage.set({ storage: { visits: '3' } });
    return { keys: ['visits'] };
  },
  'botStorage.set': () => ({ storage: { visits: '3' } }),
  'botStorage.remove': async ({ as }) => {
    await as('hamlet').botStorage.set({ storage: { visits: '3' } });
    return { keys: ['visits'] };
  },
};

export const changes: Changes = {
  'botStorage.set': UNSEEN,
  'botStorage.remove': UNSEEN,
};

const texts = (users: readonly number[]) => Object.fromEntries(users.map((id) => [`seen ${id}`, 'yes']));

export const statements: ScalingCalls = {
  'botStorage.set': ({ world, users }) => world.as('hamlet').botStorage.set({ storage: texts(users) }),
  'botStorage.get': async ({ world, users }) => {
    await world.as('hamlet').botStorage.set({ storage: texts(users) });
    return world.as('hamlet').botStorage.get({ keys: Object.keys(texts(users)) });
  },
  'botStorage.remove': async ({ world, users }) => {
    await world.as('hamlet').botStorage.set({ storage: texts(users) });
    return world.as('hamlet').botStorage.remove({ keys: Object.keys(texts(users)) });
  },
};

export const stored: Stored = async (tx) => {
  const users = await tx.users.changedSince(0);
  return Promise.all(
    users.map(async ({ id }) => [await tx.botStorage.of(id), (await tx.botStorage.sizes(id, [])).all]),
  );
};
