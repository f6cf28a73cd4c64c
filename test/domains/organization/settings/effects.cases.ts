import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import { png } from '../../../world/pictures.ts';
import type { World } from '../../../world/world.ts';

const EVERYONE = 7;
const MEMBERS = 6;
const MODERATORS = 4;
const ROLE_NOBODY = 1;

/** A permission of role:nobody refuses the attempt. A permission of the given group allows it again. */
const effect = (permission: string, given: number, attempt: (world: World) => Promise<unknown>): Case => ({
  name: `${permission} is enforced`,
  as: 'owner',
  call: ['organization.edit', { [permission]: { new: ROLE_NOBODY } }],
  state: async (world) => {
    await assert.rejects(attempt(world), { code: 'BAD_REQUEST', message: /not allow|cannot|switched off/ });
    await world.as('owner').organization.edit({ [permission]: { new: given } });
    await attempt(world);
  },
});

/** Moves a message of any age. */
const moves = (change: (world: World) => object) => async (world: World) => {
  await world.as('owner').organization.edit({
    move_messages_within_stream_limit_seconds: 'unlimited',
    move_messages_between_streams_limit_seconds: 'unlimited',
  });
  await world.as('hamlet').messages.edit({ message_id: world.messages.ghost, ...change(world) });
};

const creates = (more: object) => (world: World) =>
  world.as('hamlet').channels.create({ name: 'Polonia', subscribers: [], ...more });

const writesTo = (world: World) =>
  world.as('hamlet').messages.send({ type: 'direct', to: [world.users.administrator], content: 'y' });

const says = async ({ as, channels }: World) =>
  (await as('hamlet').messages.send({ type: 'channel', to: channels.public, topic: 'x', content: 'y' })).id;

/** Effects of settings. Each case fails if the code ignores its setting. */
export const organizationEffectCases = cases('organization.edit', [
  {
    name: 'enable_spectator_access gives anonymous callers access to web-public channels',
    as: 'owner',
    call: ['organization.edit', { enable_spectator_access: true }],
    state: async ({ chat, as }) => {
      await as('owner').channels.create({ name: 'Quay', subscribers: [], is_web_public: true });
      await chat.anonymous().users.list();
    },
  },
  {
    name: 'require_unique_names refuses a name in use',
    as: 'owner',
    call: ['organization.edit', { require_unique_names: true }],
    state: async ({ as }) => {
      const another = as('owner').users.create({ email: 'other@example.com', full_name: 'hamlet' });
      await assert.rejects(another, { code: 'BAD_REQUEST' });
    },
  },
  {
    name: 'send_channel_events_messages false stops messages about new channels',
    as: 'owner',
    call: ['organization.edit', { send_channel_events_messages: false }],
    state: async ({ as, users }) => {
      const { id } = await as('hamlet').channels.create({ name: 'Polonia', subscribers: [users.hamlet] });
      assert.deepEqual((await as('hamlet').topics.list({ stream_id: id })).topics, []);
    },
  },
  {
    name: 'code blocks without a language get the default language of the organization',
    as: 'owner',
    call: ['organization.edit', { default_code_block_language: 'python' }],
    state: async ({ as }) => {
      const { rendered } = await as('hamlet').messages.render({ content: '```\nprint(1)\n```' });
      assert.match(rendered, /data-code-language="Python"/);
    },
  },
  {
    name: 'can_access_all_users_group limits which users a guest sees',
    as: 'owner',
    call: ['organization.edit', { can_access_all_users_group: { new: MEMBERS, old: EVERYONE } }],
    state: async ({ as, users }) => {
      await assert.rejects(as('guest').users.get({ user_id: users.moderator }), { code: 'BAD_REQUEST' });
      await as('cordelia').users.get({ user_id: users.moderator });
    },
  },
  effect('can_add_subscribers_group', MEMBERS, ({ as, users }) =>
    as('hamlet').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }], principals: [users.newcomer] }),
  ),
  effect('can_add_custom_emoji_group', MEMBERS, ({ as }) =>
    as('hamlet').customEmoji.upload({ emoji_name: 'gruel', file: png }),
  ),
  effect('can_create_bots_group', MEMBERS, ({ as }) => as('hamlet').bots.create({ full_name: 'By', short_name: 'by' })),
  effect('can_create_write_only_bots_group', MEMBERS, async ({ as }) => {
    await as('owner').organization.edit({ can_create_bots_group: { new: ROLE_NOBODY } });
    await as('hamlet').bots.create({ full_name: 'By', short_name: 'by', bot_type: 2 });
  }),
  effect('can_create_private_channel_group', MEMBERS, creates({ invite_only: true })),
  effect('can_create_public_channel_group', MEMBERS, creates({})),
  effect('can_create_web_public_channel_group', MODERATORS, async ({ as }) => {
    await as('owner').organization.edit({ enable_spectator_access: true });
    await as('owner').channels.create({ name: 'Quay', subscribers: [], is_web_public: true });
  }),
  effect('can_delete_any_message_group', MEMBERS, ({ as, messages }) =>
    as('cordelia').messages.delete({ message_id: messages.ghost }),
  ),
  effect('can_delete_own_message_group', EVERYONE, async (world) => {
    await world.as('hamlet').messages.delete({ message_id: await says(world) });
  }),
  effect(
    'can_move_messages_between_channels_group',
    MEMBERS,
    moves(({ channels }) => ({ stream_id: channels.quiet })),
  ),
  effect(
    'can_move_messages_between_topics_group',
    EVERYONE,
    moves(() => ({ topic: 'spirits' })),
  ),
  effect(
    'can_resolve_topics_group',
    EVERYONE,
    moves(() => ({ topic: '✔ ghosts' })),
  ),
  effect('can_set_topics_policy_group', MEMBERS, creates({ topics_policy: 'disable_empty_topic' })),
  effect('can_set_delete_message_policy_group', MEMBERS, creates({ can_delete_own_message_group: MEMBERS })),
  effect('direct_message_permission_group', EVERYONE, writesTo),
  effect('direct_message_initiator_group', EVERYONE, writesTo),
]);
