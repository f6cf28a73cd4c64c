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
  removes('takes back a reaction by the name it carries', { emoji_name: 'like' }),
  removes('takes back a reaction by another name of the same emoji', { emoji_name: '+1' }),
  removes('takes back a reaction by its code', { emoji_code: '1f44d' }),
  removes('takes back a reaction by name, code and kind', {
    emoji_name: 'like',
    emoji_code: '1f44d',
    reaction_type: 'unicode_emoji',
  }),
  ...['0', '000'].map(
    (zeros): Case => ({
      name: `takes back a custom emoji whose ID is written with ${zeros} before it`,
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
    name: 'a name or a code is needed',
    as: 'hamlet',
    given: liked,
    call: removing({ reaction_type: 'unicode_emoji' }),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'without anything that names the emoji nothing is taken back',
    as: 'hamlet',
    given: liked,
    call: removing({}),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: "nobody takes back another's reaction",
    as: 'cordelia',
    given: liked,
    call: removing({ emoji_name: 'like' }),
    refuses: { code: 'REACTION_DOES_NOT_EXIST' },
  },
  {
    name: "nobody takes back another's reaction by its code",
    as: 'cordelia',
    given: liked,
    call: removing({ emoji_code: '1f44d' }),
    refuses: { code: 'REACTION_DOES_NOT_EXIST' },
  },
  ...[
    { name: 'a name no emoji has', given: { emoji_name: 'never_heard_of' } },
    { name: 'a code no emoji has', given: { emoji_code: 'zzz' } },
    { name: 'a kind that does not exist', given: { emoji_code: '1f44d', reaction_type: 'sticker' } },
    { name: 'the right code in the wrong kind', given: { emoji_code: '1f44d', reaction_type: 'realm_emoji' } },
  ].map(
    ({ name, given }): Case => ({
      name: `${name} is not looked up: there is no such reaction`,
      as: 'hamlet',
      given: liked,
      call: removing(given),
      refuses: { code: 'REACTION_DOES_NOT_EXIST' },
    }),
  ),
  {
    name: 'a reaction of an emoji that is in use no more can be taken back',
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
    name: 'a message out of sight is refused',
    as: 'hamlet',
    call: ['messages.removeReaction', ({ messages }) => ({ message_id: messages.vaultAfter, emoji_name: 'like' })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'in an archived channel nothing is taken back',
    as: 'hamlet',
    call: ['messages.removeReaction', ({ messages }) => ({ message_id: messages.ruins, emoji_name: 'like' })],
    refuses: { code: 'BAD_REQUEST' },
  },
]);
