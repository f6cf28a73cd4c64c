import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { dataOf, fields, fill } from './filling.ts';

export const unsetProfileDataCases = cases('profileFields.unset', [
  {
    name: 'a user removes values from their profile, and all users who see them get the events',
    as: 'hamlet',
    given: async (world) => {
      await fields(world);
      const { short, date, pronouns } = world.kept as Record<'short' | 'date' | 'pronouns', number>;
      await fill(world, 'hamlet', { [short]: 'Soup', [date]: '2030-01-31', [pronouns]: 'he' });
      await fill(world, 'cordelia', { [short]: 'Stew' });
    },
    // One of the values is already empty.
    call: ['profileFields.unset', ({ kept }) => ({ data: [kept.short, kept.date, kept.link] })],
    events: ({ kept }) => ({
      guest: [
        { person: { custom_profile_field: { id: kept.short, value: null } } },
        { person: { custom_profile_field: { id: kept.date, value: null } } },
      ],
    }),
    state: async (world) => {
      assert.deepEqual(await dataOf(world, 'hamlet'), { [`${world.kept.pronouns}`]: { value: 'he' } });
      assert.equal((await dataOf(world, 'cordelia'))?.[`${world.kept.short}`]?.value, 'Stew');
    },
  },
  {
    name: 'a member cannot remove the value of a field that only administrators edit',
    as: 'hamlet',
    given: fields,
    call: ['profileFields.unset', ({ kept }) => ({ data: [kept.closed] })],
    refuses: { code: 'BAD_REQUEST', says: /Only administrators can edit/ },
  },
  {
    name: 'an unknown field is refused',
    as: 'hamlet',
    call: ['profileFields.unset', { data: [99] }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'a field name instead of an ID is refused',
    as: 'hamlet',
    call: ['profileFields.unset', { data: ['short'] }],
    refuses: { code: 'BAD_REQUEST', says: /data/ },
  },
]);
