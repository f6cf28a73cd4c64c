import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

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

const tada = (as: 'hamlet' | 'cordelia') => (world: World) =>
  world.as(as).messages.addReaction({ message_id: world.messages.ghost, emoji_name: 'tada' });

/** Creates a custom emoji and returns its ID. */
const fishOfOurs = async ({ storage }: World): Promise<number> => {
  const fish = { name: 'fish_of_ours', author_id: null, source_url: '/fish.png', still_url: null };
  return (await storage.write((tx) => tx.customEmoji.create(fish))) as number;
};
const fish = { emoji_name: 'fish_of_ours', reaction_type: 'realm_emoji' };

/** Hamlet has used the emoji on another message, and it is deactivated. */
const fishOnAnotherMessage = async (world: World) => {
  const id = await fishOfOurs(world);
  world.kept.fish = id;
  const message_id = world.messages.ghostReply;
  await world.as('hamlet').messages.addReaction({ message_id, emoji_name: fish.emoji_name });
  await world.storage.write((tx) => tx.customEmoji.deactivate(id));
};

export const addReactionCases = cases('messages.addReaction', [
  {
    name: 'emoji_name is required',
    as: 'hamlet',
    call: adding({ emoji_code: '1f389', reaction_type: 'unicode_emoji' }),
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'emoji_name' } },
  },
  {
    name: 'a message_id that is not an integer is refused with status 404',
    as: 'hamlet',
    call: ['messages.addReaction', { message_id: 'first', emoji_name: 'tada' }],
    only: 'HTTP',
    refuses: { code: 'NOT_FOUND', status: 404 },
  },
  {
    name: 'a message that does not exist is refused',
    as: 'hamlet',
    call: ['messages.addReaction', { message_id: 999_999, emoji_name: 'tada' }],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'unsupported parameters are listed in ignored_parameters_unsupported',
    as: 'hamlet',
    call: adding({ emoji_name: 'tada', colour: 'red' }),
    returns: { ignored_parameters_unsupported: ['colour'] },
  },
  {
    name: 'emoji_name alone is enough, and the response is empty',
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
    name: 'the event has ID, address and name of the user, for clients without a list of users',
    as: 'hamlet',
    call: adding({ emoji_name: 'tada' }),
    events: ({ users, emails }) => ({
      cordelia: [
        {
          type: 'reaction',
          op: 'add',
          user_id: users.hamlet,
          user: { user_id: users.hamlet, email: emails.hamlet, full_name: 'Hamlet' },
        },
      ],
    }),
  },
  {
    name: 'the event has the visible address of the user, not the hidden one',
    as: 'hamlet',
    given: ({ storage, users }) => storage.write((tx) => tx.users.update(users.hamlet, { email_visibility: 3 })),
    call: adding({ emoji_name: 'tada' }),
    events: ({ users }) => ({
      cordelia: [
        { user: { user_id: users.hamlet, email: `user${users.hamlet}@chat.example.com`, full_name: 'Hamlet' } },
      ],
      administrator: [{ user: { email: `user${users.hamlet}@chat.example.com` } }],
    }),
  },
  {
    name: 'a restricted guest gets an event without a name or address',
    as: 'moderator',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: adding({ emoji_name: 'tada' }, 'harbour'),
    events: ({ users }) => ({
      guest: [
        {
          type: 'reaction',
          user_id: users.moderator,
          user: {
            user_id: users.moderator,
            email: `user${users.moderator}@chat.example.com`,
            full_name: 'Unknown user',
          },
        },
      ],
      hamlet: [{ user: { full_name: 'Mona Moderator' } }],
    }),
  },
  {
    name: 'a restricted guest gets the event of their own reaction with their name',
    as: 'guest',
    given: (world) => world.settings({ can_access_all_users_group: 6 }),
    call: adding({ emoji_name: 'tada' }, 'harbour'),
    events: ({ users, emails }) => ({
      guest: [{ type: 'reaction', user: { user_id: users.guest, email: emails.guest, full_name: 'Gus Guest' } }],
    }),
  },
  {
    name: 'a request can have name, code and type; a code of several code points is joined by dashes',
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
    name: 'the name zulip alone is the extra emoji, neither Unicode nor custom',
    as: 'hamlet',
    call: adding({ emoji_name: 'zulip' }),
    state: async (world) => {
      const [reaction] = await reactions(world);
      assert.deepEqual([reaction?.emoji_code, reaction?.reaction_type], ['zulip', 'zulip_extra_emoji']);
    },
  },
  {
    name: 'realm_emoji has the ID of the custom emoji as its code',
    as: 'hamlet',
    given: async (world) => {
      world.kept.fish = await fishOfOurs(world);
    },
    call: [
      'messages.addReaction',
      ({ messages, kept }) => ({ message_id: messages.ghost, ...fish, emoji_code: String(kept.fish) }),
    ],
    state: async (world) => assert.equal((await reactions(world))[0]?.emoji_code, String(world.kept.fish)),
  },
  ...['0', '000', '000000000'].flatMap((zeros): Case[] => {
    const padded = ({ messages, emoji }: World) => ({
      message_id: messages.ghost,
      emoji_name: 'yorick',
      emoji_code: `${zeros}${emoji.yorick}`,
      reaction_type: 'realm_emoji',
    });
    const plain = ({ as, messages }: World, user: 'hamlet' | 'cordelia') =>
      as(user).messages.addReaction({ message_id: messages.ghost, emoji_name: 'yorick' });
    return [
      {
        name: `a custom emoji ID with the prefix ${zeros} is stored and sent without the prefix`,
        as: 'hamlet',
        call: ['messages.addReaction', padded],
        events: ({ emoji }) => ({ cordelia: [{ op: 'add', emoji_code: emoji.yorick, reaction_type: 'realm_emoji' }] }),
        state: async (world) => assert.equal((await reactions(world))[0]?.emoji_code, world.emoji.yorick),
      },
      {
        name: `a custom emoji ID with the prefix ${zeros} is refused as the user's existing reaction`,
        as: 'hamlet',
        given: (world) => plain(world, 'hamlet'),
        call: ['messages.addReaction', padded],
        refuses: { code: 'REACTION_ALREADY_EXISTS' },
      },
      {
        name: `a custom emoji ID with the prefix ${zeros} adds to an existing reaction of another user`,
        as: 'hamlet',
        given: (world) => plain(world, 'cordelia'),
        call: ['messages.addReaction', padded],
        state: async (world) =>
          assert.deepEqual(
            (await reactions(world)).map((reaction) => reaction.emoji_code),
            [world.emoji.yorick, world.emoji.yorick],
          ),
      },
    ];
  }),
  {
    name: 'a reaction with the code of an existing reaction gets its emoji name',
    as: 'cordelia',
    given: tada('hamlet'),
    call: adding({ ...TADA, emoji_name: 'another_name_since' }),
    events: ({ users }) => ({ hamlet: [{ type: 'reaction', user_id: users.cordelia, ...TADA }] }),
    state: async (world) => {
      const { hamlet, cordelia } = world.users;
      assert.deepEqual(await reactions(world), [
        { ...TADA, user_id: hamlet },
        { ...TADA, user_id: cordelia },
      ]);
    },
  },
  {
    name: 'a reaction that exists is refused with REACTION_ALREADY_EXISTS, and without further fields',
    as: 'hamlet',
    given: tada('hamlet'),
    call: adding({ emoji_name: 'tada' }),
    refuses: { code: 'REACTION_ALREADY_EXISTS', data: {} },
  },
  refused('an unknown name is refused', { emoji_name: 'no_such_emoji' }),
  refused('an invalid code is refused', { emoji_name: 'tada', emoji_code: 'zzz', reaction_type: 'unicode_emoji' }),
  refused('a code no emoji has is refused', {
    emoji_name: 'tada',
    emoji_code: '1f38',
    reaction_type: 'unicode_emoji',
  }),
  refused('a code named like an object property is refused', {
    emoji_name: 'tada',
    emoji_code: 'constructor',
    reaction_type: 'unicode_emoji',
  }),
  refused('a code of another emoji is refused', {
    emoji_name: 'tada',
    emoji_code: '1f431',
    reaction_type: 'unicode_emoji',
  }),
  refused('an unknown custom emoji is refused', { emoji_name: 'tada', emoji_code: '99', reaction_type: 'realm_emoji' }),
  refused('an unknown kind is refused', { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'sticker' }),
  refused('a message the caller cannot read is refused', { emoji_name: 'tada' }, 'vaultAfter'),
  refused('a message in an archived channel is refused', { emoji_name: 'tada' }, 'ruins'),
  {
    name: 'a missing emoji_name is refused before a missing message',
    as: 'hamlet',
    call: ['messages.addReaction', { message_id: 999_999 }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'emoji_name' } },
  },
  {
    name: 'the same emoji under another of its names is the same reaction',
    as: 'hamlet',
    given: ({ as, messages }) => as('hamlet').messages.addReaction({ message_id: messages.ghost, emoji_name: 'like' }),
    call: adding({ emoji_name: '+1' }),
    refuses: { code: 'REACTION_ALREADY_EXISTS' },
  },
  {
    name: 'the emoji name of the request is kept, even if the emoji has a more common name',
    as: 'hamlet',
    call: adding({ emoji_name: 'like' }),
    state: async (world) => {
      const [reaction] = await reactions(world);
      assert.deepEqual([reaction?.emoji_name, reaction?.emoji_code], ['like', '1f44d']);
    },
  },
  {
    name: "the organization's own emoji takes precedence over a Unicode emoji of the same name",
    as: 'hamlet',
    given: async ({ storage, kept }) => {
      const own = { name: 'tada', author_id: null, source_url: '/tada.png', still_url: null };
      kept.own = (await storage.write((tx) => tx.customEmoji.create(own))) as number;
    },
    call: adding({ emoji_name: 'tada' }),
    state: async (world) => {
      const [reaction] = await reactions(world);
      assert.deepEqual([reaction?.reaction_type, reaction?.emoji_code], ['realm_emoji', String(world.kept.own)]);
    },
  },
  {
    name: 'a further reaction with a deactivated custom emoji is added',
    as: 'cordelia',
    given: async (world) => {
      const id = await fishOfOurs(world);
      world.kept.fish = id;
      await world.as('hamlet').messages.addReaction({ message_id: world.messages.ghost, emoji_name: fish.emoji_name });
      await world.storage.write((tx) => tx.customEmoji.deactivate(id));
    },
    call: [
      'messages.addReaction',
      ({ messages, kept }) => ({ message_id: messages.ghost, ...fish, emoji_code: String(kept.fish) }),
    ],
    state: async (world) => assert.equal((await reactions(world)).length, 2),
  },
  {
    name: 'a first reaction with a deactivated custom emoji is refused',
    as: 'cordelia',
    given: fishOnAnotherMessage,
    call: [
      'messages.addReaction',
      ({ messages, kept }) => ({ message_id: messages.ghost, ...fish, emoji_code: String(kept.fish) }),
    ],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a deactivated custom emoji is not found by its name',
    as: 'cordelia',
    given: fishOnAnotherMessage,
    call: adding({ emoji_name: fish.emoji_name }),
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'a request with reaction_type and without a code gets the code from the name',
    as: 'hamlet',
    call: adding({ emoji_name: 'tada', reaction_type: 'unicode_emoji' }),
    state: async (world) => assert.equal((await reactions(world))[0]?.emoji_code, '1f389'),
  },
  refused('an emoji_code that does not belong to the name is refused', { emoji_name: 'tada', emoji_code: '1f431' }),
  refused('a reaction_type that does not belong to the name is refused', {
    emoji_name: 'tada',
    reaction_type: 'realm_emoji',
  }),
  refused('an unknown zulip_extra_emoji is refused', {
    emoji_name: 'tada',
    emoji_code: 'tada',
    reaction_type: 'zulip_extra_emoji',
  }),
  refused('the extra emoji under another name is refused', {
    emoji_name: 'tada',
    emoji_code: 'zulip',
    reaction_type: 'zulip_extra_emoji',
  }),
  {
    name: 'a reaction to a message not received marks it as read and historical',
    as: 'moderator',
    call: adding({ emoji_name: 'tada' }),
    state: async ({ as, messages }) => {
      const { message } = await as('moderator').messages.get({ message_id: messages.ghost });
      assert.deepEqual(message.flags?.sort(), ['historical', 'read']);
    },
  },
  {
    name: 'only subscribers of a private channel get the event of a reaction',
    as: 'moderator',
    call: adding({ emoji_name: 'tada' }, 'council'),
    events: () => ({ hamlet: [{ type: 'reaction' }], moderator: [{ type: 'reaction' }], owner: [], cordelia: [] }),
  },
  {
    name: 'in protected history, users who did not receive the message get no reaction event',
    as: 'cordelia',
    call: adding({ emoji_name: 'tada' }, 'vaultBefore'),
    events: () => ({ cordelia: [{ type: 'reaction' }], guest: [] }),
  },
  {
    name: 'in protected history, recipients of the message get the reaction event',
    as: 'cordelia',
    call: adding({ emoji_name: 'tada' }, 'vaultAfter'),
    events: ({ messages }) => {
      const event = { type: 'reaction', message_id: messages.vaultAfter };
      return { cordelia: [event], guest: [event] };
    },
  },
  {
    name: 'only participants of a direct conversation get the event of a reaction',
    as: 'moderator',
    call: adding({ emoji_name: 'heart' }, 'group'),
    events: () => ({
      hamlet: [{ type: 'reaction' }],
      cordelia: [{ type: 'reaction' }],
      moderator: [{ type: 'reaction' }],
      owner: [],
      newcomer: [],
    }),
  },
  {
    name: 'guests and bots can react',
    as: 'guest',
    given: ({ as, messages }) => as('bot').messages.addReaction({ message_id: messages.harbour, emoji_name: 'tada' }),
    call: adding({ emoji_name: 'tada' }, 'harbour'),
  },
  {
    name: 'an incoming-webhook bot is refused',
    as: 'webhook',
    call: adding({ emoji_name: 'tada' }),
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    call: adding({ emoji_name: 'tada' }),
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'a user who reacts in a public channel without a subscription gets the event',
    as: 'newcomer',
    call: adding({ emoji_name: 'tada' }),
    events: ({ users }) => ({ newcomer: [{ type: 'reaction', op: 'add', user_id: users.newcomer }] }),
  },
  {
    name: 'in a public channel, earlier reactors without a subscription get later reaction events, others do not',
    as: 'hamlet',
    given: ({ as, messages }) =>
      as('newcomer').messages.addReaction({ message_id: messages.ghost, emoji_name: 'tada' }),
    call: adding({ emoji_name: 'tada' }),
    events: ({ users }) => ({ newcomer: [{ type: 'reaction', op: 'add', user_id: users.hamlet }], moderator: [] }),
  },
]);
