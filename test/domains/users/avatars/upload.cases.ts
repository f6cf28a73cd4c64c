import assert from 'node:assert/strict';
import sharp from 'sharp';
import { transportOf } from '../../../../lib/internal.ts';
import { avatarToken } from '../../../../lib/views/avatars.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { animatedGif, png } from '../../../world/pictures.ts';
import type { World } from '../../../world/world.ts';

const UPLOADED = /^\/user_avatars\/[0-9a-f]{40}\.png\?version=2$/;
const GENERATED = /^\/user_avatars\/generated\/[0-9a-f]{32}\.png\?version=\d+$/;

const avatarOf = async ({ as, users }: World, user: UserName) =>
  (await as('owner').users.get({ user_id: users[user], client_gravatar: false })).user.avatar_url as string;

/** The bytes of a picture and of its larger version. */
async function pictures(world: World, url: string) {
  const name = url.replace('/user_avatars/', '').replace(/\?.*/, '');
  const transport = transportOf(world.chat);
  return [await transport.avatarImage(name), await transport.avatarImage(name.replace('.png', '-medium.png'))];
}

const sizes = async (world: World, url: string) => {
  const found = await pictures(world, url);
  return Promise.all(
    found.map(async (bytes) => {
      const { width, height, format, pages } = await sharp(bytes).metadata();
      return { width, height, format, pages };
    }),
  );
};

const SIZES = [
  { width: 100, height: 100, format: 'png', pages: undefined },
  { width: 500, height: 500, format: 'png', pages: undefined },
];

const refused = (name: string, file: unknown, code: string, says?: RegExp): Case => ({
  name,
  as: 'hamlet',
  call: ['avatars.upload', { file }],
  refuses: { code, ...(says ? { says } : {}) },
  events: () => ({ cordelia: [] }),
  state: async (world) => assert.match(await avatarOf(world, 'hamlet'), GENERATED),
});

const huge = async () => {
  const bytes = Buffer.from(await png.arrayBuffer());
  bytes.writeUInt32BE(20_000, 16);
  bytes.writeUInt32BE(20_000, 20);
  return new Blob([bytes]);
};

export const uploadAvatarCases = cases('avatars.upload', [
  {
    name: 'an avatar is stored as a square in two sizes, and all users get the event with its address',
    as: 'hamlet',
    call: ['avatars.upload', { file: png }],
    returns: { avatar_url: UPLOADED },
    events: ({ users }) => ({
      guest: [
        {
          type: 'realm_user',
          op: 'update',
          person: {
            user_id: users.hamlet,
            avatar_source: 'U',
            avatar_url: UPLOADED,
            avatar_url_medium: /^\/user_avatars\/[0-9a-f]{40}-medium\.png\?version=2$/,
            avatar_version: 2,
          },
        },
      ],
    }),
    state: async (world, { avatar_url }) => {
      assert.equal(await avatarOf(world, 'hamlet'), avatar_url);
      assert.deepEqual(await sizes(world, avatar_url), SIZES);
      const { messages } = await world.as('cordelia').messages.list({
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        client_gravatar: true,
        narrow: [{ operator: 'sender', operand: world.users.hamlet }],
      });
      assert.deepEqual(new Set(messages.map((message) => message.avatar_url)), new Set([avatar_url]));
    },
  },
  {
    name: 'a second avatar replaces the first, which is no longer served',
    as: 'hamlet',
    given: ({ as }) => as('hamlet').avatars.upload({ file: png }),
    call: ['avatars.upload', { file: png }],
    returns: { avatar_url: /\?version=3$/ },
    state: async (world, { avatar_url }) => {
      assert.deepEqual(await sizes(world, avatar_url), SIZES);
      const organization = (await world.storage.read((tx) => tx.organization.get())) ?? assert.fail();
      const former = avatarToken({ id: world.users.hamlet, avatar_version: 2 }, organization);
      assert.deepEqual(await pictures(world, `/user_avatars/${former}.png`), [undefined, undefined]);
    },
  },
  {
    name: 'an animated picture becomes an avatar of its first frame',
    as: 'guest',
    call: ['avatars.upload', { file: animatedGif }],
    state: async (world, { avatar_url }) => assert.deepEqual(await sizes(world, avatar_url), SIZES),
  },
  {
    name: "a restricted guest gets no event of a hidden user's avatar",
    as: 'secondOwner',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: ['avatars.upload', { file: png }],
    events: () => ({ guest: [], cordelia: [{ type: 'realm_user' }] }),
    state: async ({ as, users }) => {
      const { members } = await as('guest').users.list();
      const stub = members.find(({ user_id }) => user_id === users.secondOwner);
      assert.equal(stub?.avatar_url, '/static/unknown-user-avatar.png');
    },
  },
  {
    name: 'administrators change their avatar when members may not',
    as: 'administrator',
    given: (world) => world.settings({ avatar_changes_disabled: true }),
    call: ['avatars.upload', { file: png }],
  },
  {
    name: 'a member is refused when avatar changes are disabled',
    as: 'hamlet',
    given: (world) => world.settings({ avatar_changes_disabled: true }),
    call: ['avatars.upload', { file: png }],
    refuses: { code: 'BAD_REQUEST', says: /Only administrators can change avatars/ },
  },
  refused('a request without a file is refused', undefined, 'BAD_REQUEST', /specify a file/),
  refused('a text instead of a file is refused', 'hamlet.png', 'BAD_REQUEST', /must be a file/),
  refused(
    'a file of more than 5 MiB is refused',
    new Blob([Buffer.alloc(5 * 1024 * 1024 + 1)]),
    'BAD_REQUEST',
    /too large \(limit: 5 MiB\)/,
  ),
  refused('a text file is refused as an image', new Blob(['To be']), 'BAD_IMAGE'),
  refused(
    'an SVG with scripts is refused as an image',
    new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], { type: 'image/svg+xml' }),
    'BAD_IMAGE',
  ),
  refused('a truncated image is refused', png.slice(0, 60), 'BAD_IMAGE'),
  refused('an image of 400 million pixels is refused before it is decoded', await huge(), 'BAD_IMAGE'),
  {
    name: 'B13: a bot uploads an avatar, and its owner gets the bot event too',
    as: 'bot',
    call: ['avatars.upload', { file: png }],
    events: ({ users }) => {
      const person = { type: 'realm_user', op: 'update', person: { user_id: users.bot, avatar_source: 'U' } };
      const bot = { type: 'realm_bot', op: 'update', bot: { user_id: users.bot, avatar_url: UPLOADED } };
      return { hamlet: [person, bot], administrator: [person, bot], cordelia: [person] };
    },
  },
]);

export const removeAvatarCases = cases('avatars.remove', [
  {
    name: 'removing an uploaded avatar restores the generated one, and all users get the event',
    as: 'hamlet',
    given: async (world) => {
      await world.as('hamlet').avatars.upload({ file: png });
    },
    call: ['avatars.remove'],
    returns: { avatar_url: GENERATED },
    events: ({ users }) => ({
      guest: [
        {
          type: 'realm_user',
          op: 'update',
          person: { user_id: users.hamlet, avatar_source: 'J', avatar_url: GENERATED, avatar_version: 3 },
        },
      ],
    }),
    state: async (world, { avatar_url }) => assert.equal(await avatarOf(world, 'hamlet'), avatar_url),
  },
  {
    name: 'removing an avatar gives the Gravatar address when the organization uses Gravatar',
    as: 'hamlet',
    given: (world) => world.settings({ default_avatar_source: 'G' }),
    call: ['avatars.remove'],
    returns: { avatar_url: /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?/ },
    events: () => ({
      guest: [{ person: { avatar_source: 'G', avatar_url_medium: /^https:\/\/secure\.gravatar\.com\/.*&s=500$/ } }],
    }),
    state: async ({ as, users }) => {
      const { user } = await as('cordelia').users.get({ user_id: users.hamlet, client_gravatar: true });
      assert.equal(user.avatar_url, null);
    },
  },
  {
    name: 'removing a missing avatar changes nothing and sends no event',
    as: 'hamlet',
    call: ['avatars.remove'],
    returns: { avatar_url: GENERATED },
    events: () => ({ cordelia: [] }),
  },
  {
    name: 'a member is refused when avatar changes are disabled',
    as: 'hamlet',
    given: async (world) => {
      await world.as('hamlet').avatars.upload({ file: png });
      await world.settings({ avatar_changes_disabled: true });
    },
    call: ['avatars.remove'],
    refuses: { code: 'BAD_REQUEST', says: /Only administrators can change avatars/ },
    state: async (world) => assert.match(await avatarOf(world, 'hamlet'), UPLOADED),
  },
  {
    name: 'B13: a bot removes its avatar',
    as: 'bot',
    given: async (world) => {
      await world.as('bot').avatars.upload({ file: png });
    },
    call: ['avatars.remove'],
    events: () => ({
      hamlet: [{ type: 'realm_user' }, { type: 'realm_bot', op: 'update', bot: { avatar_url: GENERATED } }],
    }),
  },
]);
