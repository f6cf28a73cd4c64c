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
    'a field is there for everybody, trimmed, with defaults for what is not said',
    { name: ' Favourite food ', hint: ' Or drink ', field_type: 1 },
    {
      id: (id: unknown) => Number.isSafeInteger(id),
      type: 1,
      order: 0,
      name: 'Favourite food',
      hint: 'Or drink',
      field_data: '',
      required: false,
      editable_by_user: true,
      display_in_profile_summary: ABSENT,
    },
  ),
  accepted(
    'everything about a field can be said at once',
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
      `a field of type ${field_type} has no data, whatever is given`,
      { name: 'x', field_type, field_data: OPTIONS },
      { type: field_type, field_data: '' },
    ),
  ),
  accepted(
    'a site that is known brings its name and hint along',
    { name: 'Mine', hint: 'mine', ...account({ subtype: 'github' }) },
    { type: 7, name: 'GitHub username', hint: '', field_data: '{"subtype":"github"}' },
  ),
  accepted(
    'a site that is known needs no name',
    account({ subtype: 'twitter', url_pattern: 'https://elsewhere.example/%(username)s' }),
    { name: 'Twitter username', field_data: '{"subtype":"twitter"}' },
  ),
  accepted(
    'a site of your own has an address with a place for the name',
    { name: 'Wiki', ...site('https://wiki.example.com/~%(username)s') },
    { name: 'Wiki', field_data: '{"subtype":"custom","url_pattern":"https://wiki.example.com/~%(username)s"}' },
  ),
  accepted(
    'name and hint may have 40 and 80 characters, whatever their bytes',
    { name: '🍲'.repeat(40), hint: '🍲'.repeat(80), field_type: 1 },
    { name: '🍲'.repeat(40) },
  ),
  {
    name: 'a list may have two hundred options',
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
    name: 'new fields come after the others',
    as: 'owner',
    given: (world) => addFields(world, { a: { field_type: 1 }, b: { field_type: 1 } }),
    call: ['profileFields.create', { name: 'c', field_type: 1 }],
    state: async (world) =>
      assert.deepEqual(
        (await shown(world)).map(({ name, order }) => [name, order]),
        [
          ['a', 0],
          ['b', 1],
          ['c', 2],
        ],
      ),
  },
  refused('a field needs a name', { name: undefined }, /needs a name/),
  refused('a name is not blank', { name: ' ' }, /needs a name/),
  refused('a name has 40 characters at most', { name: 'x'.repeat(41) }, /limit: 40/),
  refused('a name is one line', { name: 'a\nb' }, /control characters/),
  refused('a hint has 80 characters at most', { hint: 'x'.repeat(81) }, /limit: 80/),
  refused('a hint is one line', { hint: 'a\tb' }, /control characters/),
  refused('an unknown field type is refused', { field_type: 9 }, /field_type must be one of/),
  refused('a list needs options', options(undefined), /at least one option/),
  refused('a list needs more than no options', options({}), /at least one option/),
  refused('an option has a text', options({ 0: { text: ' ', order: '1' } }), /cannot be empty/),
  refused('an option has an order', options({ 0: { text: 'a', order: '' } }), /cannot be empty/),
  refused('an option has a key', options({ ' ': { text: 'a', order: '1' } }), /cannot be empty/),
  refused('an option is an object', options({ 0: 'Vegan' }), /field_data/),
  refused('an option has nothing more', options({ 0: { text: 'a', order: '1', color: 'red' } }), /field_data/),
  refused('options are an object', options([]), /field_data/),
  refused('the order of an option is a text', options({ 0: { text: 'a', order: 1 } }), /field_data/),
  refused(
    'an option with a text in use is refused',
    options({ 0: { text: 'a', order: '1' }, 1: { text: ' a', order: '2' } }),
    /there twice/,
  ),
  refused('an option has 100 characters at most', options({ 0: { text: 'a'.repeat(101), order: '1' } }), /field_data/),
  refused(
    'a list has 200 options at most',
    options(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [at, { text: `${at}`, order: '1' }]))),
    /at most 200/,
  ),
  refused('a list has no site', options({ subtype: 'github' }), /object with the keys text and order/),
  refused('an external account has a site', account(undefined), /subtype/),
  refused('an external account has no options', account(OPTIONS), /subtype/),
  refused('a site is one that is known', account({ subtype: 'constructor' }), /no external account/),
  refused('a site of your own has an address', account({ subtype: 'custom' }), /url_pattern/),
  refused('the address has a place for the name', site('https://example.com/'), /"%\(username\)s"/),
  refused(
    'an address with two places for the name is refused',
    site('https://example.com/%(username)s/%(username)s'),
    /once/,
  ),
  refused('the address is one of the web', site('javascript:alert(%(username)s)'), /web address/),
  refused('the address has no spaces', site('https://example.com/ %(username)s'), /web address/),
  ...[2, 6].map((field_type) =>
    refused(
      `summaries show no field of type ${field_type}`,
      { field_type, display_in_profile_summary: true },
      /cannot be shown/,
    ),
  ),
  {
    name: 'summaries show two fields',
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
    name: 'a known site in use is refused',
    as: 'owner',
    given: (world) => addFields(world, { a: { field_type: 7, field_data: { subtype: 'github' } } }),
    call: ['profileFields.create', account({ subtype: 'github' })],
    refuses: { code: 'BAD_REQUEST', says: /"GitHub username" already/ },
  },
  {
    name: 'an organization has a hundred fields at most',
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
    name: 'a field needs a type',
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
