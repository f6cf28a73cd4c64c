import assert from 'node:assert/strict';
import { type Case, cases } from '../../faces/case.ts';
import type { World } from '../../faces/world.ts';

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };

const adding = (given: object, message: keyof World['messages'] = 'ghost') =>
  ['messages.addReaction', ({ messages }: World) => ({ message_id: messages[message], ...given })] as const;

const refused = (name: string, given: object, message?: keyof World['messages']): Case => ({
  name,
  as: 'hamlet',
  call: adding(given, message),
  refuses: { code: 'BAD_REQUEST' },
});

const reactions = async ({ as, messages }: World) =>
  (await as('cordelia').messages.get({ message_id: messages.ghost })).message.reactions;

export const addReactionCases = cases('messages.addReaction', [
  {
    name: 'emoji_name is required',
    as: 'hamlet',
    call: adding({ emoji_code: '1f389', reaction_type: 'unicode_emoji' }),
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'emoji_name' } },
  },
  {
    name: 'a name is enough, and the answer is empty',
    as: 'hamlet',
    call: adding({ emoji_name: 'tada' }),
    events: ({ users, messages }) => {
      const event = { type: 'reaction', op: 'add', message_id: messages.ghost, user_id: users.hamlet, ...TADA };
      return { hamlet: [event], cordelia: [event], guest: [] };
    },
    state: async (world, answer) => {
      assert.deepEqual(Object.keys(answer), []);
      assert.deepEqual(await reactions(world), [{ ...TADA, user_id: world.users.hamlet }]);
    },
  },
  {
    name: 'name, code and kind may all be given, codes of several code points joined by dashes',
    as: 'hamlet',
    call: adding({ emoji_name: 'one', emoji_code: '0031-20e3', reaction_type: 'unicode_emoji' }),
    state: async (world) => assert.equal((await reactions(world))[0]?.emoji_code, '0031-20e3'),
  },
  {
    name: 'zulip_extra_emoji has the name as its code',
    as: 'hamlet',
    call: adding({ emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }),
    state: async (world) => assert.equal((await reactions(world))[0]?.emoji_code, 'zulip'),
  },
  {
    name: 'realm_emoji has the ID of the custom emoji as its code',
    as: 'hamlet',
    given: async (world) => {
      const fish = { name: 'fish_of_ours', author_id: null, source_url: '/fish.png', still_url: null };
      world.kept.fish = (await world.storage.write((tx) => tx.customEmoji.create(fish))) as number;
    },
    call: [
      'messages.addReaction',
      ({ messages, kept }) => ({
        message_id: messages.ghost,
        ...{ emoji_name: 'fish_of_ours', emoji_code: String(kept.fish), reaction_type: 'realm_emoji' },
      }),
    ],
    state: async (world) => assert.equal((await reactions(world))[0]?.emoji_code, String(world.kept.fish)),
  },
  {
    name: 'a vote with the code of an existing reaction takes the name that reaction has',
    as: 'cordelia',
    given: ({ as, messages }) => as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
    call: adding({ ...TADA, emoji_name: 'another_name_since' }),
    events: ({ users }) => ({ hamlet: [{ type: 'reaction', user_id: users.cordelia, ...TADA }] }),
    state: async (world) => assert.equal((await reactions(world)).length, 2),
  },
  {
    name: 'a reaction that exists is refused',
    as: 'hamlet',
    given: ({ as, messages }) => as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
    call: adding({ emoji_name: 'tada' }),
    refuses: { code: 'REACTION_ALREADY_EXISTS' },
  },
  refused('an unknown name is refused', { emoji_name: 'no_such_emoji' }),
  refused('an invalid code is refused', { emoji_name: 'tada', emoji_code: 'zzz', reaction_type: 'unicode_emoji' }),
  refused('a code of another emoji is refused', {
    emoji_name: 'tada',
    emoji_code: '1f431',
    reaction_type: 'unicode_emoji',
  }),
  refused('an unknown custom emoji is refused', { emoji_name: 'tada', emoji_code: '99', reaction_type: 'realm_emoji' }),
  refused('an unknown kind is refused', { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'sticker' }),
  refused('a message out of sight is refused', { emoji_name: 'tada' }, 'vaultAfter'),
  refused('a message in an archived channel is refused', { emoji_name: 'tada' }, 'ruins'),
]);
