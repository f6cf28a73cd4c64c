import { type Case, cases } from '../../faces/case.ts';
import type { World } from '../../faces/world.ts';

const removing = (given: object) =>
  ['messages.removeReaction', ({ messages }: World) => ({ message_id: messages.ghost, ...given })] as const;

const liked = ({ as, messages }: World) =>
  as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'like' });

const removes = (name: string, given: object): Case => ({
  name,
  as: 'hamlet',
  given: liked,
  call: removing(given),
  events: ({ users, messages }) => ({
    cordelia: [
      {
        ...{ type: 'reaction', op: 'remove', message_id: messages.ghost, user_id: users.hamlet },
        ...{ emoji_name: 'like', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
      },
    ],
  }),
});

export const removeReactionCases = cases('messages.removeReaction', [
  removes('by the name it carries', { emoji_name: 'like' }),
  removes('by another name of the same emoji', { emoji_name: '+1' }),
  removes('by its code', { emoji_code: '1f44d' }),
  removes('by all of it', { emoji_name: 'like', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }),
  {
    name: 'a name or a code is needed',
    as: 'hamlet',
    given: liked,
    call: removing({ reaction_type: 'unicode_emoji' }),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: "nobody takes back another's reaction",
    as: 'cordelia',
    given: liked,
    call: removing({ emoji_name: 'like' }),
    refuses: { code: 'REACTION_DOES_NOT_EXIST' },
  },
]);
