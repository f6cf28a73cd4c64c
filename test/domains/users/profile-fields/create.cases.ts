import assert from 'node:assert/strict';
import { type Case, cases, type Params } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { addFields, OPTIONS } from './filling.ts';

const shown = async ({ as }: World) => (await as('guest').profileFields.list()).custom_fields;

const accepted = (name: string, given: Params, field: Params): Case => ({
  name,
  as: 'administrator',
  call: ['profileFields.create', given],
  returns: { id: (id: unknown) => Number.isSafeInteger(id) },
  events: () => ({ guest: [{ type: 'custom_profile_fields', fields: [field] }] }),
});

const refused = (name: string, given: Params, says: RegExp): Case => ({
  name,
  as: 'administrator',
  call: ['profileFields.create', { name: 'Food', field_type: 1, ...given }],
  refuses: { code: 'BAD_REQUEST', says },
  events: () => ({ hamlet: [] }),
  state: async (world) => assert.deepEqual(await shown(world), []),
});

const options = (given: unknown) => ({ field_type: 3, field_data: given });
const account = (given: unknown) => ({ field_type: 7, field_data: given });
const site = (url_pattern: string) => account({ subtype: 'custom', url_pattern });

export const createProfileFieldCases = cases('profileFields.create', [
  accepted(
    'a field is created trimmed with default values, and all users get the event',
    { name: ' Favourite food ', hint: ' Or drink ', field_type: 1 },
    {
      id: (id: unknown) => Number.isSafeInteger(id),
      type: 1,
      order: 1,
      name: 'Favourite food',
      hint: 'Or drink',
      field_data: '',
      required: false,
      editable_by_user: true,
      display_in_profile_summary: ABSENT,
    },
  ),
  accepted(
    'a field is created with all its properties in one request',
    {
      name: 'Diet',
      field_type: 3,
      field_data: OPTIONS,
      hint: '',
      display_in_profile_summary: true,
      required: true,
      editable_by_user: false,
    },
    {
      type: 3,
      field_data: JSON.stringify(OPTIONS),
      display_in_profile_summary: true,
      required: true,
      editable_by_user: false,
    },
  ),
  ...[2, 4, 5, 6, 8].map((field_type) =>
    accepted(
      `field_data is ignored for a field of type ${field_type}`,
      { name: 'x', field_type, field_data: OPTIONS },
      { type: field_type, field_data: '' },
    ),
  ),
  accepted(
    'an external account of a known site gets the name and hint of the site',
    { name: 'Mine', hint: 'mine', ...account({ subtype: 'github' }) },
    { type: 7, name: 'GitHub username', hint: '', field_data: '{"subtype":"github"}' },
  ),
  accepted(
    'an external account of a known site needs no name, and its url_pattern is ignored',
    account({ subtype: 'twitter', url_pattern: 'https://elsewhere.example/%(username)s' }),
    { name: 'Twitter username', field_data: '{"subtype":"twitter"}' },
  ),
  accepted(
    'an external account of a custom site keeps its url_pattern',
    { name: 'Wiki', ...site('https://wiki.example.com/~%(username)s') },
    { name: 'Wiki', field_data: '{"subtype":"custom","url_pattern":"https://wiki.example.com/~%(username)s"}' },
  ),
  accepted(
    'a name of 40 and a hint of 80 characters are accepted, counted in code points',
    { name: '🍲'.repeat(40), hint: '🍲'.repeat(80), field_type: 1 },
    { name: '🍲'.repeat(40) },
  ),
  {
    name: 'a list with 200 options is accepted',
    as: 'owner',
    call: [
      'profileFields.create',
      {
        name: 'Diet',
        ...options(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [at, { text: `${at}`, order: '1' }]))),
      },
    ],
    state: async (world) =>
      assert.equal(Object.keys(JSON.parse((await shown(world))[0]?.field_data ?? '')).length, 200),
  },
  {
    name: 'B7: the first field has the order 1, and a new field comes last',
    as: 'owner',
    given: (world) => addFields(world, { a: { field_type: 1 }, b: { field_type: 1 } }),
    call: ['profileFields.create', { name: 'c', field_type: 1 }],
    state: async (world) =>
      assert.deepEqual(
        (await shown(world)).map(({ name, order }) => [name, order]),
        [
          ['a', 1],
          ['b', 2],
          ['c', 3],
        ],
      ),
  },
  refused('a field without a name is refused', { name: undefined }, /name.* cannot be empty/),
  refused('a blank name is refused', { name: ' ' }, /name.* cannot be empty/),
  refused('a name of more than 40 characters is refused', { name: 'x'.repeat(41) }, /limit: 40/),
  refused('a name with a newline is refused', { name: 'a\nb' }, /control characters/),
  refused('a hint of more than 80 characters is refused', { hint: 'x'.repeat(81) }, /limit: 80/),
  refused('a hint with a tab is refused', { hint: 'a\tb' }, /control characters/),
  refused('an unknown field type is refused', { field_type: 9 }, /field_type must be one of/),
  refused('a list without field_data is refused', options(undefined), /at least one option/),
  refused('a list with an empty object of options is refused', options({}), /at least one option/),
  refused('an option with a blank text is refused', options({ 0: { text: ' ', order: '1' } }), /cannot be empty/),
  refused('an option with an empty order is refused', options({ 0: { text: 'a', order: '' } }), /cannot be empty/),
  refused('an option with a blank key is refused', options({ ' ': { text: 'a', order: '1' } }), /cannot be empty/),
  refused('an option that is a text is refused', options({ 0: 'Vegan' }), /field_data/),
  refused(
    'an option with an unknown key is refused',
    options({ 0: { text: 'a', order: '1', color: 'red' } }),
    /field_data/,
  ),
  refused('options in an array are refused', options([]), /field_data/),
  refused('an option with a number as order is refused', options({ 0: { text: 'a', order: 1 } }), /field_data/),
  refused(
    'an option with a text in use is refused',
    options({ 0: { text: 'a', order: '1' }, 1: { text: ' a', order: '2' } }),
    /the option "a" twice/,
  ),
  refused(
    'an option of more than 100 characters is refused',
    options({ 0: { text: 'a'.repeat(101), order: '1' } }),
    /field_data/,
  ),
  refused(
    'a list with more than 200 options is refused',
    options(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [at, { text: `${at}`, order: '1' }]))),
    /at most 200/,
  ),
  refused(
    'a list with the field_data of an external account is refused',
    options({ subtype: 'github' }),
    /object with the keys text and order/,
  ),
  refused('an external account without a site is refused', account(undefined), /subtype/),
  refused('an external account with the field_data of a list is refused', account(OPTIONS), /subtype/),
  refused(
    'an external account of an unknown site is refused',
    account({ subtype: 'constructor' }),
    /not a known subtype/,
  ),
  refused(
    'an external account of a custom site without url_pattern is refused',
    account({ subtype: 'custom' }),
    /url_pattern/,
  ),
  refused('a url_pattern without %(username)s is refused', site('https://example.com/'), /"%\(username\)s"/),
  refused(
    'a url_pattern with %(username)s twice is refused',
    site('https://example.com/%(username)s/%(username)s'),
    /once/,
  ),
  refused(
    'a url_pattern with the scheme javascript is refused',
    site('javascript:alert(%(username)s)'),
    /must be a URL/,
  ),
  refused('a url_pattern with a space is refused', site('https://example.com/ %(username)s'), /must be a URL/),
  ...[2, 6].map((field_type) =>
    refused(
      `a field of type ${field_type} in the profile summary is refused`,
      { field_type, display_in_profile_summary: true },
      /cannot be shown/,
    ),
  ),
  {
    name: 'a third field in the profile summary is refused',
    as: 'owner',
    given: (world) =>
      addFields(world, {
        a: { field_type: 1, display_in_profile_summary: true },
        b: { field_type: 8, display_in_profile_summary: true },
      }),
    call: ['profileFields.create', { name: 'c', field_type: 1, display_in_profile_summary: true }],
    refuses: { code: 'BAD_REQUEST', says: /at most 2/ },
  },
  {
    name: 'a name in use is refused, whatever its case',
    as: 'owner',
    given: (world) => addFields(world, { Food: { field_type: 1 } }),
    call: ['profileFields.create', { name: 'fOOD ', field_type: 2 }],
    refuses: { code: 'BAD_REQUEST', says: /already/ },
  },
  {
    name: 'a second external account of the same known site is refused',
    as: 'owner',
    given: (world) => addFields(world, { a: { field_type: 7, field_data: { subtype: 'github' } } }),
    call: ['profileFields.create', account({ subtype: 'github' })],
    refuses: { code: 'BAD_REQUEST', says: /"GitHub username" already/ },
  },
  {
    name: 'more than 100 fields of an organization are refused',
    as: 'owner',
    given: (world) =>
      world.storage.write(async (tx) => {
        for (let at = 0; at < 100; at++) {
          await tx.profileFields.create({
            type: 1,
            name: `Field ${at}`,
            hint: '',
            field_data: '',
            display_in_profile_summary: false,
            required: false,
            editable_by_user: true,
          });
        }
      }),
    call: ['profileFields.create', { name: 'One more', field_type: 1 }],
    refuses: { code: 'BAD_REQUEST', says: /at most 100/ },
  },
  {
    name: 'a field without a type is refused',
    as: 'owner',
    call: ['profileFields.create', { name: 'Food' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'field_type' } },
  },
  {
    name: 'only administrators add fields',
    as: 'moderator',
    call: ['profileFields.create', { name: 'Food', field_type: 1 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
