import type { Changes, PlainCalls, ScalingCalls, Stored } from '../../../world/calls.ts';
import type { World } from '../../../world/world.ts';
import { addFields, fill, OPTIONS } from './filling.ts';

const food = async (world: World) => (await addFields(world, { food: { field_type: 1 } })).food as number;

export const matrix: PlainCalls = {
  'profileFields.create': () => ({ name: 'Food', field_type: 1 }),
  'profileFields.edit': async (world) => ({ field_id: await food(world), name: 'Drink' }),
  'profileFields.remove': async (world) => ({ field_id: await food(world) }),
  'profileFields.reorder': async (world) => ({ order: [await food(world)] }),
  'profileFields.set': async (world) => ({ data: [{ id: await food(world), value: 'Soup' }] }),
  'profileFields.unset': async (world) => ({ data: [await food(world)] }),
};

export const changes: Changes = {
  'profileFields.create': {
    'a field': food,
  },
  'profileFields.edit': {
    'another name': async (world) => {
      await world.as('administrator').profileFields.edit({ field_id: await food(world), name: 'Drink' });
    },
    'options in use removed': async (world) => {
      const { diet } = await addFields(world, { diet: { field_type: 3, field_data: OPTIONS } });
      await fill(world, 'hamlet', { [diet as number]: '0' });
      await fill(world, 'cordelia', { [diet as number]: '1' });
      const field_data = { 1: { text: 'Meat', order: '1' } };
      await world.as('owner').profileFields.edit({ field_id: diet as number, field_data });
    },
  },
  'profileFields.remove': {
    'one of two fields, with its values': async (world) => {
      const { food, drink } = await addFields(world, { food: { field_type: 1 }, drink: { field_type: 2 } });
      for (const name of ['hamlet', 'guest', 'owner'] as const) {
        await fill(world, name, { [food as number]: 'Soup', [drink as number]: 'Tea' });
      }
      await world.as('owner').profileFields.remove({ field_id: food as number });
    },
  },
  'profileFields.reorder': {
    'in reverse order': async (world) => {
      const { food, drink } = await addFields(world, { food: { field_type: 1 }, drink: { field_type: 2 } });
      await world.as('owner').profileFields.reorder({ order: [drink, food] as number[] });
    },
  },
  'profileFields.set': {
    'text and user values': async (world) => {
      const { food, friends } = await addFields(world, { food: { field_type: 1 }, friends: { field_type: 6 } });
      const people = [world.users.cordelia, world.users.owner];
      await fill(world, 'hamlet', { [food as number]: '**Soup**', [friends as number]: people });
      await fill(world, 'hamlet', { [food as number]: '', [friends as number]: people.slice(1) });
    },
    'of a guest': async (world) => fill(world, 'guest', { [await food(world)]: 'Stew' }),
  },
  'profileFields.unset': {
    'one of two values': async (world) => {
      const { food, drink } = await addFields(world, { food: { field_type: 1 }, drink: { field_type: 2 } });
      await fill(world, 'hamlet', { [food as number]: 'Soup', [drink as number]: 'Tea' });
      await world.as('hamlet').profileFields.unset({ data: [food as number] });
    },
  },
};

export const stored: Stored = async (tx) => [
  await tx.profileFields.all(),
  (await tx.users.changedSince(0)).map(({ profile_data }) => profile_data),
];

export const statements: ScalingCalls = {
  'profileFields.list': ({ world }) => world.as('hamlet').profileFields.list(),
  'profileFields.set': async ({ world, users }) => {
    const { friends } = await addFields(world, { friends: { field_type: 6 } });
    await fill(world, 'hamlet', { [friends]: users.slice(0, 100) });
  },
};
