import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { addFields, dataOf, fill, OPTIONS } from './filling.ts';

const both = async (world: World) => {
  await addFields(world, {
    food: { field_type: 1, hint: 'Or drink', display_in_profile_summary: true },
    diet: { field_type: 3, field_data: OPTIONS },
  });
  await fill(world, 'hamlet', { [world.kept.diet as number]: '0', [world.kept.food as number]: 'Soup' });
  await fill(world, 'cordelia', { [world.kept.diet as number]: '1' });
};

const editing =
  (field: string, given: Params) =>
  ({ kept }: World) => ({ field_id: kept[field], ...given });

const refused = (name: string, field: string, given: Params, says: RegExp): Case => ({
  name,
  as: 'administrator',
  given: both,
  call: ['profileFields.edit', editing(field, given)],
  refuses: { code: 'BAD_REQUEST', says },
  events: () => ({ hamlet: [] }),
});

const github = (world: World) => addFields(world, { github: { field_type: 7, field_data: { subtype: 'github' } } });

export const editProfileFieldCases = cases('profileFields.edit', [
  {
    name: 'only the given properties of a field change, and all users get an event with all fields',
    as: 'administrator',
    given: both,
    call: ['profileFields.edit', editing('food', { name: ' Drink ', required: true })],
    events: ({ kept }) => ({
      guest: [
        {
          type: 'custom_profile_fields',
          fields: [
            {
              id: kept.food,
              order: 1,
              name: 'Drink',
              hint: 'Or drink',
              type: 1,
              display_in_profile_summary: true,
              required: true,
              editable_by_user: true,
            },
            { id: kept.diet, order: 2 },
          ],
        },
      ],
    }),
    state: async (world) =>
      assert.deepEqual(Object.keys((await dataOf(world, 'hamlet')) ?? {}), [
        `${world.kept.food}`,
        `${world.kept.diet}`,
      ]),
  },
  {
    name: 'a field leaves the profile summary and becomes editable by administrators alone',
    as: 'owner',
    given: both,
    call: ['profileFields.edit', editing('food', { display_in_profile_summary: false, editable_by_user: false })],
    events: () => ({
      guest: [
        {
          type: 'custom_profile_fields',
          fields: [{ display_in_profile_summary: ABSENT, editable_by_user: false }, {}],
        },
      ],
    }),
  },
  {
    name: 'an edit without a change sends the event to all users',
    as: 'owner',
    given: both,
    call: ['profileFields.edit', editing('food', {})],
    events: () => ({ guest: [{ type: 'custom_profile_fields' }] }),
  },
  {
    name: 'an option removed from a list is removed from the profiles with it, and other profiles stay',
    as: 'owner',
    given: both,
    call: [
      'profileFields.edit',
      editing('diet', { field_data: { 1: { text: 'Fish', order: '2' }, 2: { text: 'Air', order: '1' } } }),
    ],
    events: () => ({ hamlet: [{ type: 'custom_profile_fields' }] }),
    state: async (world) => {
      const diet = `${world.kept.diet}`;
      assert.equal((await dataOf(world, 'hamlet'))?.[diet], undefined);
      assert.deepEqual((await dataOf(world, 'cordelia'))?.[diet], { value: '1' });
    },
  },
  {
    name: 'an option added again does not return to the profiles it was removed from',
    as: 'owner',
    given: async (world) => {
      await both(world);
      const field_data = { 1: OPTIONS[1] };
      await world.as('owner').profileFields.edit({ field_id: world.kept.diet as number, field_data });
    },
    call: ['profileFields.edit', editing('diet', { field_data: OPTIONS })],
    state: async (world) => assert.equal((await dataOf(world, 'hamlet'))?.[`${world.kept.diet}`], undefined),
  },
  {
    name: 'field_data is ignored for a text field',
    as: 'owner',
    given: both,
    call: ['profileFields.edit', editing('food', { field_data: OPTIONS })],
    state: async ({ as }) => assert.equal((await as('owner').profileFields.list()).custom_fields[0]?.field_data, ''),
  },
  {
    name: 'a field already in the full profile summary can be edited',
    as: 'owner',
    given: async (world) => {
      await both(world);
      await addFields(world, { pronouns: { field_type: 8, display_in_profile_summary: true } });
    },
    call: ['profileFields.edit', editing('pronouns', { display_in_profile_summary: true, hint: 'Yours' })],
  },
  {
    name: 'a third field in the profile summary is refused',
    as: 'owner',
    given: async (world) => {
      await both(world);
      await addFields(world, { pronouns: { field_type: 8, display_in_profile_summary: true } });
    },
    call: ['profileFields.edit', editing('diet', { display_in_profile_summary: true })],
    refuses: { code: 'BAD_REQUEST', says: /at most 2/ },
  },
  {
    name: 'an external account of a known site becomes required and editable by administrators alone',
    as: 'owner',
    given: github,
    call: [
      'profileFields.edit',
      editing('github', { display_in_profile_summary: true, required: true, editable_by_user: false }),
    ],
    events: () => ({
      guest: [{ type: 'custom_profile_fields', fields: [{ name: 'GitHub username', required: true }] }],
    }),
  },
  {
    name: 'an external account of a known site accepts its present name and site',
    as: 'owner',
    given: github,
    call: ['profileFields.edit', editing('github', { name: 'GitHub username', field_data: { subtype: 'github' } })],
  },
  ...[{ name: 'Mine' }, { hint: 'Mine' }, { field_data: { subtype: 'twitter' } }].map(
    (given): Case => ({
      name: `a new ${Object.keys(given)} of an external account of a known site is refused`,
      as: 'owner',
      given: github,
      call: ['profileFields.edit', editing('github', given)],
      refuses: { code: 'BAD_REQUEST', says: /cannot be changed/ },
    }),
  ),
  refused('the name of another field is refused', 'food', { name: 'DIET' }, /already/),
  refused('a blank name is refused', 'food', { name: ' ' }, /name.* cannot be empty/),
  refused('a hint of more than 80 characters is refused', 'food', { hint: 'x'.repeat(81) }, /limit: 80/),
  refused('a list without options is refused', 'diet', { field_data: {} }, /at least one option/),
  {
    name: 'an unknown field is refused before its values are checked',
    as: 'owner',
    call: ['profileFields.edit', { field_id: 99, name: ' ' }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'only administrators change fields',
    as: 'moderator',
    given: both,
    call: ['profileFields.edit', editing('food', { name: 'x' })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

export const removeProfileFieldCases = cases('profileFields.remove', [
  {
    name: 'a field is removed with the values of all users, and one event goes to all users',
    as: 'administrator',
    given: both,
    call: ['profileFields.remove', ({ kept }) => ({ field_id: kept.diet })],
    events: ({ kept }) => ({
      guest: [{ type: 'custom_profile_fields', fields: [{ id: kept.food }] }],
      hamlet: [{ type: 'custom_profile_fields' }],
    }),
    state: async (world) => {
      assert.deepEqual(Object.keys((await dataOf(world, 'hamlet')) ?? {}), [`${world.kept.food}`]);
      const stored = await world.storage.read((tx) => tx.users.byId(world.users.cordelia));
      assert.equal(stored?.profile_data, '{}');
    },
  },
  {
    name: 'an unknown field is refused',
    as: 'owner',
    call: ['profileFields.remove', { field_id: 99 }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'only administrators remove fields',
    as: 'moderator',
    given: both,
    call: ['profileFields.remove', ({ kept }) => ({ field_id: kept.food })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

const order = (name: string, call: (world: World) => Params): Case => ({
  name,
  as: 'owner',
  given: both,
  call: ['profileFields.reorder', call],
  refuses: { code: 'BAD_REQUEST', says: /exactly once/ },
  events: () => ({ hamlet: [] }),
});

export const reorderProfileFieldsCases = cases('profileFields.reorder', [
  {
    name: 'the fields get a new order, and all users get the event',
    as: 'administrator',
    given: both,
    call: ['profileFields.reorder', ({ kept }) => ({ order: [kept.diet, kept.food] })],
    events: ({ kept }) => ({
      guest: [
        {
          type: 'custom_profile_fields',
          fields: [
            { id: kept.diet, order: 1 },
            { id: kept.food, order: 2 },
          ],
        },
      ],
    }),
  },
  {
    name: 'an empty order without fields succeeds',
    as: 'owner',
    call: ['profileFields.reorder', { order: [] }],
    events: () => ({ hamlet: [] }),
  },
  order('an order without one of the fields is refused', ({ kept }) => ({ order: [kept.food] })),
  order('an order with a field twice is refused', ({ kept }) => ({ order: [kept.food, kept.food] })),
  order('an order with an unknown field is refused', ({ kept }) => ({ order: [kept.food, kept.diet, 99] })),
  {
    name: 'only administrators reorder fields',
    as: 'moderator',
    call: ['profileFields.reorder', { order: [] }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

export const listProfileFieldsCases = cases('profileFields.list', [
  {
    name: 'a guest gets all fields in their order, the same as from register',
    as: 'guest',
    given: both,
    call: ['profileFields.list'],
    returns: ({ kept }) => ({
      custom_fields: [
        { id: kept.food, type: 1, order: 1, name: 'food', hint: 'Or drink', field_data: '', required: false },
        { id: kept.diet, type: 3, order: 2, name: 'diet', hint: '', field_data: JSON.stringify(OPTIONS) },
      ],
    }),
    state: async ({ as }, { custom_fields }) => {
      const state = await as('guest').register({ fetch_event_types: ['custom_profile_fields'] });
      assert.deepEqual(state.custom_profile_fields, custom_fields);
    },
  },
  {
    name: 'a bot gets the list of fields',
    as: 'bot',
    call: ['profileFields.list'],
    returns: { custom_fields: [] },
  },
]);
