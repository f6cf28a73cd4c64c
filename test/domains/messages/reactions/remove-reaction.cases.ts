import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const removing = (given: object) =>
  ['messages.removeReaction', ({ messages }: World) => ({ message_id: messages.ghost, ...given })] as const;

const liked = ({ as, messages }: World) =>
  as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'like' });

const removes = (name: string, given: object): Case => ({
  name,
  as: 'hamlet',
  given: liked,
  call: removing(given),
  events: ({ users, emails, messages }) => ({
    cordelia: [
      {
        type: 'reaction',
        op: 'remove',
        message_id: messages.ghost,
        user_id: users.hamlet,
        user: { user_id: users.hamlet, email: emails.hamlet, full_name: 'Hamlet' },
        emoji_name: 'like',
        emoji_code: '1f44d',
        reaction_type: 'unicode_emoji',
      },
    ],
  }),
  state: async ({ as, messages }) => {
    assert.deepEqual((await as('cordelia').messages.get({ message_id: messages.ghost })).message.reactions, []);
  },
});

export const removeReactionCases = cases('messages.removeReaction', [
  removes('a reaction is removed by its own emoji name', { emoji_name: 'like' }),
  removes('a reaction is removed by another name of the same emoji', { emoji_name: '+1' }),
  removes('a reaction is removed by its emoji code', { emoji_code: '1f44d' }),
  removes('a reaction is removed by name, code and type', {
    emoji_name: 'like',
    emoji_code: '1f44d',
    reaction_type: 'unicode_emoji',
  }),
  ...['0', '000'].map(
    (zeros): Case => ({
      name: `a reaction is removed by a custom emoji ID with the prefix ${zeros}`,
      as: 'hamlet',
      given: ({ as, messages }) =>
        as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'yorick' }),
      call: [
        'messages.removeReaction',
        ({ messages, emoji }) => ({
          message_id: messages.ghost,
          emoji_code: `${zeros}${emoji.yorick}`,
          reaction_type: 'realm_emoji',
        }),
      ],
      events: ({ emoji }) => ({ cordelia: [{ op: 'remove', emoji_code: emoji.yorick }] }),
    }),
  ),
  {
    name: 'a request without a name or code is refused',
    as: 'hamlet',
    given: liked,
    call: removing({ reaction_type: 'unicode_emoji' }),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a request that names no emoji is refused, and no reaction is removed',
    as: 'hamlet',
    given: liked,
    call: removing({}),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a reaction of another user cannot be removed',
    as: 'cordelia',
    given: liked,
    call: removing({ emoji_name: 'like' }),
    refuses: { code: 'REACTION_DOES_NOT_EXIST' },
  },
  {
    name: 'a reaction of another user cannot be removed by its code',
    as: 'cordelia',
    given: liked,
    call: removing({ emoji_code: '1f44d' }),
    refuses: { code: 'REACTION_DOES_NOT_EXIST' },
  },
  {
    name: 'H: a name that no emoji has is refused as such',
    as: 'hamlet',
    given: liked,
    call: removing({ emoji_name: 'never_heard_of' }),
    refuses: { code: 'BAD_REQUEST', says: /no emoji named "never_heard_of"/ },
  },
  ...[
    { name: 'a code no emoji has', given: { emoji_code: 'zzz' } },
    { name: 'a kind that does not exist', given: { emoji_code: '1f44d', reaction_type: 'sticker' } },
    { name: 'the right code in the wrong kind', given: { emoji_code: '1f44d', reaction_type: 'realm_emoji' } },
  ].map(
    ({ name, given }): Case => ({
      name: `${name} is refused as a missing reaction`,
      as: 'hamlet',
      given: liked,
      call: removing(given),
      refuses: { code: 'REACTION_DOES_NOT_EXIST' },
    }),
  ),
  {
    name: 'a reaction with a deactivated custom emoji is removed',
    as: 'hamlet',
    given: async ({ as, messages, storage }) => {
      const fish = { name: 'fish_of_ours', author_id: null, source_url: '/fish.png', still_url: null };
      const id = (await storage.write((tx) => tx.customEmoji.create(fish))) as number;
      await as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: fish.name });
      await storage.write((tx) => tx.customEmoji.deactivate(id));
    },
    call: removing({ emoji_name: 'fish_of_ours' }),
    events: () => ({ cordelia: [{ type: 'reaction', op: 'remove', reaction_type: 'realm_emoji' }] }),
  },
  {
    name: 'a message the caller cannot read is refused',
    as: 'hamlet',
    call: ['messages.removeReaction', ({ messages }) => ({ message_id: messages.vaultAfter, emoji_name: 'like' })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a reaction in an archived channel cannot be removed',
    as: 'hamlet',
    call: ['messages.removeReaction', ({ messages }) => ({ message_id: messages.ruins, emoji_name: 'like' })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
