import assert from 'node:assert/strict';
import { transportOf } from '../../../../lib/internal.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { animatedGif, png } from '../../../world/pictures.ts';
import type { World } from '../../../world/world.ts';

const gruel = { emoji_name: 'gruel', file: png };

/** Emoji, besides those of the fixture. */
const emojiOf = async ({ as, emoji }: World) => {
  const known = Object.values(emoji);
  return Object.values((await as('guest').customEmoji.list()).emoji).filter(({ id }) => !known.includes(id));
};

const refused = (name: string, given: object, says: RegExp, as: UserName = 'hamlet'): Case => ({
  name,
  as,
  call: ['customEmoji.upload', { ...gruel, ...given }],
  refuses: { code: 'BAD_REQUEST', says },
  events: () => ({ cordelia: [] }),
  state: async (world) => assert.deepEqual(await emojiOf(world), []),
});

const notAPicture = (name: string, file: Blob): Case => ({
  name,
  as: 'hamlet',
  call: ['customEmoji.upload', { ...gruel, file }],
  refuses: { code: 'BAD_IMAGE' },
  state: async (world) => assert.deepEqual(await emojiOf(world), []),
});

/** The header of a PNG of 20,000 by 20,000 pixels, without data. */
const huge = async () => {
  const bytes = Buffer.from(await png.arrayBuffer());
  bytes.writeUInt32BE(20_000, 16);
  bytes.writeUInt32BE(20_000, 20);
  return new Blob([bytes]);
};

export const uploadCustomEmojiCases = cases('customEmoji.upload', [
  {
    name: 'an emoji is added, and all users get an event with all emoji',
    as: 'hamlet',
    call: ['customEmoji.upload', gruel],
    returns: {},
    events: ({ users }) => {
      const emoji = {
        id: '3',
        name: 'gruel',
        source_url: /^\/custom_emoji\/[0-9a-f]{32}\.png$/,
        still_url: null,
        deactivated: false,
        author_id: users.hamlet,
      };
      const event = {
        type: 'realm_emoji',
        op: 'update',
        realm_emoji: { 1: { name: 'yorick' }, 2: { name: 'jester' }, 3: emoji },
      };
      return { hamlet: [event], guest: [event] };
    },
    state: async (world) => {
      const [emoji] = await emojiOf(world);
      const image = await transportOf(world.chat).emojiImage(emoji?.source_url.split('/').at(-1) as string);
      assert.equal(image?.content_type, 'image/png');
      assert.deepEqual([...(image?.bytes.subarray(16, 24) ?? [])], [0, 0, 0, 64, 0, 0, 0, 64], '64 by 64 pixels');
    },
  },
  {
    name: 'an animated emoji stays animated, and has a still image',
    as: 'hamlet',
    call: ['customEmoji.upload', { ...gruel, file: animatedGif }],
    state: async (world) => {
      const [emoji] = await emojiOf(world);
      assert.match(emoji?.source_url ?? '', /\.webp$/);
      assert.match(emoji?.still_url ?? '', /-still\.png$/);
      const types = await Promise.all(
        [emoji?.source_url, emoji?.still_url].map(async (url) => {
          const image = await transportOf(world.chat).emojiImage(url?.split('/').at(-1) as string);
          return [image?.content_type, Buffer.from(image?.bytes ?? []).includes('ANMF')];
        }),
      );
      assert.deepEqual(types, [
        ['image/webp', true],
        ['image/png', false],
      ]);
    },
  },
  {
    name: 'messages and reactions use a new emoji by its name',
    as: 'hamlet',
    call: ['customEmoji.upload', gruel],
    state: async ({ as, messages }) => {
      const { rendered } = await as('cordelia').messages.render({ content: ':gruel:' });
      assert.match(rendered, /<img alt=":gruel:" class="emoji" src="\/custom_emoji\/[0-9a-f]{32}\.png" title="gruel">/);
      await as('cordelia').messages.addReaction({ message_id: messages.ghost, emoji_name: 'gruel' });
      const { message } = await as('cordelia').messages.get({ message_id: messages.ghost });
      assert.deepEqual([message.reactions[0]?.reaction_type, message.reactions[0]?.emoji_code], ['realm_emoji', '3']);
    },
  },
  {
    name: 'register lists a new emoji',
    as: 'hamlet',
    call: ['customEmoji.upload', gruel],
    state: async ({ as }) => {
      const state = await as('guest').register({ fetch_event_types: ['realm_emoji'] });
      assert.deepEqual(state.realm_emoji, (await as('guest').customEmoji.list()).emoji);
    },
  },
  {
    name: 'spaces around a name are removed, those within become underscores',
    as: 'hamlet',
    call: ['customEmoji.upload', { ...gruel, emoji_name: ' pea gruel ' }],
    state: async (world) => assert.equal((await emojiOf(world))[0]?.name, 'pea_gruel'),
  },
  {
    name: 'an administrator can use the name of a Unicode emoji',
    as: 'administrator',
    call: ['customEmoji.upload', { ...gruel, emoji_name: 'tada' }],
    state: async ({ as }) => {
      const { rendered } = await as('cordelia').messages.render({ content: ':tada:' });
      assert.match(rendered, /<img /);
    },
  },
  {
    name: 'the name of a deactivated emoji can be used again',
    as: 'cordelia',
    call: ['customEmoji.upload', { ...gruel, emoji_name: 'jester' }],
    state: async (world) => assert.equal((await emojiOf(world))[0]?.name, 'jester'),
  },
  {
    name: 'a name in use is refused',
    as: 'administrator',
    call: ['customEmoji.upload', { ...gruel, emoji_name: 'yorick' }],
    refuses: { code: 'BAD_REQUEST', says: /already/ },
    state: async (world) => assert.deepEqual(await emojiOf(world), []),
  },
  refused('a member cannot use the name of a Unicode emoji', { emoji_name: 'tada' }, /administrators/),
  refused('a name with capitals is refused', { emoji_name: 'Gruel' }, /lowercase/),
  refused('a name with letters outside ASCII is refused', { emoji_name: 'größe' }, /lowercase/),
  refused('a name that ends with an underscore is refused', { emoji_name: 'gruel_' }, /must end with/),
  refused('a name that ends with a dash is refused', { emoji_name: 'gruel-' }, /must end with/),
  refused('a blank name is refused', { emoji_name: ' ' }, /needs a name/),
  refused('a name of more than 100 characters is refused', { emoji_name: 'x'.repeat(101) }, /limit: 100/),
  refused('a file is required', { file: undefined }, /must specify a file/),
  refused('a text instead of a file is refused', { file: 'gruel.png' }, /must be a file/),
  refused(
    'a file of more than 5 MiB is refused',
    { file: new Blob([Buffer.alloc(5 * 1024 * 1024 + 1)]) },
    /too large \(limit: 5 MiB\)/,
  ),
  {
    name: 'several files are refused',
    as: 'hamlet',
    only: 'HTTP',
    call: ['customEmoji.upload', { ...gruel, another: animatedGif }],
    refuses: { code: 'BAD_REQUEST', says: /exactly one file/ },
  },
  notAPicture('a text file is refused as an image', new Blob(['gruel'])),
  notAPicture('an empty file is refused as an image', new Blob([])),
  notAPicture(
    'an SVG with scripts is refused',
    new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], { type: 'image/svg+xml' }),
  ),
  notAPicture('a truncated image is refused', png.slice(0, 60)),
  notAPicture('an image of 400 million pixels is refused before it is decoded', await huge()),
  {
    name: 'a user outside can_add_custom_emoji_group is refused',
    as: 'hamlet',
    given: (world) => world.settings({ can_add_custom_emoji_group: 3 }),
    call: ['customEmoji.upload', gruel],
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'a guest is refused',
    as: 'guest',
    call: ['customEmoji.upload', gruel],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a bot is refused',
    as: 'bot',
    call: ['customEmoji.upload', gruel],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
