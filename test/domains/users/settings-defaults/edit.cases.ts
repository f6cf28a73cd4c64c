import assert from 'node:assert/strict';
import { cases, type Params } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const told = (property: string, value: unknown) => ({
  type: 'realm_user_settings_defaults',
  op: 'update',
  property,
  value,
});

const defaultsOf = async ({ as }: World) =>
  (await as('hamlet').register({ fetch_event_types: ['realm_user_settings_defaults'] }))
    .realm_user_settings_defaults as unknown as Params;

const stateOf = async ({ chat }: World, user_id: number) =>
  (await chat.as(user_id).register({ fetch_event_types: ['user_settings'] })).user_settings as unknown as Params;

export const editSettingsDefaultsCases = cases('userSettingsDefaults.edit', [
  {
    name: 'new defaults are stored, and all users get one event for each setting',
    as: 'administrator',
    call: [
      'userSettingsDefaults.edit',
      { fluid_layout_width: true, web_font_size_px: 18, email_address_visibility: 3 },
    ],
    events: () => {
      const all = [told('email_address_visibility', 3), told('fluid_layout_width', true), told('web_font_size_px', 18)];
      return { guest: all, owner: all };
    },
    state: async (world) => {
      const defaults = await defaultsOf(world);
      assert.deepEqual(
        [defaults.fluid_layout_width, defaults.web_font_size_px, defaults.email_address_visibility],
        [true, 18, 3],
      );
    },
  },
  {
    name: 'a default applies to new users, not to existing ones, and not to the address of bots',
    as: 'administrator',
    call: ['userSettingsDefaults.edit', { fluid_layout_width: true, email_address_visibility: 4 }],
    state: async (world) => {
      const { as, users } = world;
      const { user_id } = await as('owner').users.create({ email: 'osric@example.com', full_name: 'Osric' });
      const fresh = await stateOf(world, user_id);
      assert.deepEqual([fresh.fluid_layout_width, fresh.email_address_visibility], [true, 4]);
      assert.equal((await as('owner').users.get({ user_id })).user.delivery_email, null);
      const { fluid_layout_width, email_address_visibility } = await stateOf(world, users.cordelia);
      assert.deepEqual([fluid_layout_width, email_address_visibility], [false, 1]);
      const bot = await as('hamlet').bots.create({ full_name: 'Scribe', short_name: 'scribe' });
      assert.equal((await as('guest').users.get({ user_id: bot.user_id })).user.delivery_email, bot.email);
    },
  },
  {
    name: 'Enter sends messages of new users, until the default is changed',
    as: 'administrator',
    given: async (world) => {
      const { user_id } = await world.as('owner').users.create({ email: 'osric@example.com', full_name: 'Osric' });
      assert.equal((await stateOf(world, user_id)).enter_sends, true);
      assert.equal((await defaultsOf(world)).enter_sends, true);
    },
    call: ['userSettingsDefaults.edit', { enter_sends: false }],
    events: () => ({ hamlet: [told('enter_sends', false)] }),
    state: async (world) => {
      const { user_id } = await world.as('owner').users.create({ email: 'laertes@example.com', full_name: 'Laertes' });
      assert.equal((await stateOf(world, user_id)).enter_sends, false);
    },
  },
  {
    name: 'nobody allows exports of the private data of new users for them',
    as: 'administrator',
    call: ['userSettingsDefaults.edit', { fluid_layout_width: true, ...{ allow_private_data_export: true } }],
    returns: { ignored_parameters_unsupported: ['allow_private_data_export'] },
    state: async ({ as }) => {
      const { user_id } = await as('owner').users.create({ email: 'osric@example.com', full_name: 'Osric' });
      const { export_consents } = await as('owner').exports.listConsents();
      assert.equal(export_consents.find((consent) => consent.user_id === user_id)?.consented, false);
    },
  },
  {
    name: 'a default can be set back to its original value',
    as: 'owner',
    given: ({ as }) => as('owner').userSettingsDefaults.edit({ fluid_layout_width: true }),
    call: ['userSettingsDefaults.edit', { fluid_layout_width: false }],
    events: () => ({ hamlet: [told('fluid_layout_width', false)] }),
    state: async (world) => assert.equal((await defaultsOf(world)).fluid_layout_width, false),
  },
  {
    name: 'values equal to the present defaults send no event',
    as: 'owner',
    call: ['userSettingsDefaults.edit', { fluid_layout_width: false, email_address_visibility: 1 }],
    events: () => ({ hamlet: [] }),
  },
  {
    name: 'a moderator is refused',
    as: 'moderator',
    call: ['userSettingsDefaults.edit', { fluid_layout_width: true }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  ...[
    { email_address_visibility: 6 },
    { web_font_size_px: 40_000 },
    { default_language: 'xx' },
    { notification_sound: 'nope' },
  ].map((given) => ({
    name: `${Object.keys(given)[0]} cannot be ${Object.values(given)[0]}`,
    as: 'owner' as const,
    call: ['userSettingsDefaults.edit', given] as const,
    refuses: { code: 'BAD_REQUEST' },
  })),
]);
