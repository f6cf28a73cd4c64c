import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { all, badNarrow, list, narrowed } from './listing.ts';

const leavesCouncil = ({ as }: World) => as('moderator').subscriptions.remove({ subscriptions: ['Council'] });

/** Narrows with one place. */
export const listPlaceCases = cases('messages.list', [
  list(
    'without a narrow the caller gets exactly the messages they received',
    'hamlet',
    all,
    'ghost',
    'ghostReply',
    'council',
    'harbour',
    'ruins',
    'direct',
    'group',
  ),
  list('a guest gets the messages they received', 'guest', all, 'vaultAfter', 'harbour'),
  list(
    'a narrow finds the messages of a channel by name',
    'hamlet',
    narrowed({ operator: 'channel', operand: 'Denmark' }),
    'ghost',
    'ghostReply',
  ),
  list(
    'a narrow finds the messages of a channel by ID',
    'hamlet',
    ({ channels }) => narrowed({ operator: 'stream', operand: channels.public }),
    'ghost',
    'ghostReply',
  ),
  list(
    'a narrow takes pairs, as older clients send them',
    'hamlet',
    narrowed(['stream', 'Denmark'], ['topic', 'ghosts']),
    'ghost',
    'ghostReply',
  ),
  list(
    'a user reads a public channel without a subscription',
    'moderator',
    narrowed({ operator: 'channel', operand: 'Denmark' }),
    'ghost',
    'ghostReply',
  ),
  list(
    'a narrow finds the messages of a topic, whatever its case',
    'hamlet',
    narrowed(['stream', 'Denmark'], ['topic', 'GHOSTS']),
    'ghost',
    'ghostReply',
  ),
  list('a topic without messages is empty', 'hamlet', narrowed(['stream', 'Denmark'], ['topic', 'nothing'])),
  list(
    'protected history begins with the subscription',
    'guest',
    narrowed({ operator: 'channel', operand: 'Vault' }),
    'vaultAfter',
  ),
  list(
    'a subscriber from the start sees all of a protected history',
    'cordelia',
    narrowed({ operator: 'channel', operand: 'Vault' }),
    'vaultBefore',
    'vaultAfter',
  ),
  list('an archived channel can be read', 'hamlet', narrowed({ operator: 'channel', operand: 'Ruins' }), 'ruins'),
  list(
    'a narrow finds the messages of a direct conversation by user IDs',
    'cordelia',
    ({ users }) => narrowed({ operator: 'dm', operand: [users.hamlet] }),
    'direct',
  ),
  list(
    'a narrow finds the messages of a direct conversation by addresses',
    'cordelia',
    narrowed(['pm-with', 'hamlet@example.com,moderator@example.com']),
    'group',
  ),
  list('a conversation that does not exist is empty', 'newcomer', ({ users }) =>
    narrowed({ operator: 'dm', operand: [users.hamlet] }),
  ),
  list(
    'a narrow finds the messages of a sender by ID',
    'hamlet',
    ({ users }) => narrowed({ operator: 'sender', operand: users.cordelia }),
    'ghostReply',
  ),
  list(
    'a narrow finds the messages of a sender by address',
    'hamlet',
    narrowed({ operator: 'sender', operand: 'cordelia@example.com' }),
    'ghostReply',
  ),
  list('a narrow finds direct messages', 'hamlet', narrowed({ operator: 'is', operand: 'dm' }), 'direct', 'group'),
  list(
    'the id term finds one message',
    'hamlet',
    ({ messages }) => narrowed({ operator: 'id', operand: messages.council }),
    'council',
  ),
  list('the id of a message the caller cannot read finds nothing', 'cordelia', ({ messages }) =>
    narrowed({ operator: 'id', operand: messages.council }),
  ),
  list(
    'the search term finds messages by their words',
    'hamlet',
    narrowed({ operator: 'search', operand: 'ROTTEN' }),
    'ghost',
  ),
  {
    ...list('a narrow finds starred messages', 'hamlet', narrowed({ operator: 'is', operand: 'starred' }), 'council'),
    given: ({ as, messages }) =>
      as('hamlet').messages.updateFlags({ messages: [messages.council], op: 'add', flag: 'starred' }),
  },
  {
    ...list(
      'a narrow finds unread messages',
      'cordelia',
      narrowed(['is', 'unread'], ['stream', 'Denmark']),
      'ghost',
      'ghostReply',
    ),
    given: ({ as, messages }) =>
      as('cordelia').messages.updateFlags({ messages: [messages.direct], op: 'add', flag: 'read' }),
  },
  badNarrow('an unknown operator is BAD_NARROW, with desc', 'unknown operator "colour"', ['colour', 'red']),
  badNarrow('a channel the caller cannot see is BAD_NARROW', 'there is no channel "Vault" that you can read', [
    'channel',
    'Vault',
  ]),
  badNarrow(
    'a channel that does not exist is BAD_NARROW, like one the caller cannot see',
    'there is no channel "Elba" that you can read',
    ['channel', 'Elba'],
  ),
  list(
    '(H3) a channel that the caller sees but cannot read is empty',
    'administrator',
    narrowed(['channel', 'Council']),
  ),
  list(
    '(H3) a topic of a channel that the caller sees but cannot read is empty',
    'administrator',
    narrowed(['channel', 'Council'], ['topic', 'plans']),
  ),
  list(
    '(H3) a channel that the caller sees but cannot read is empty beside another channel',
    'administrator',
    ({ channels }) =>
      narrowed({ operator: 'channel', operand: channels.public }, { operator: 'channel', operand: channels.shared }),
  ),
  ...(['Council', 'ID'] as const).map(
    (by): Case => ({
      ...list(
        `a narrow by ${by === 'ID' ? 'ID' : 'name'} to a private channel that the caller has left finds what they received there`,
        'moderator',
        ({ channels }) => narrowed({ operator: 'channel', operand: by === 'ID' ? channels.shared : by }),
        'council',
      ),
      given: leavesCouncil,
    }),
  ),
  {
    ...list(
      'a narrow to a topic of a channel that the caller has left finds what they received there',
      'moderator',
      narrowed(['channel', 'Council'], ['topic', 'plans']),
      'council',
    ),
    given: leavesCouncil,
    state: async ({ as, channels, messages: { council } }) => {
      await as('hamlet').messages.addReaction({ message_id: council, emoji_name: 'tada' });
      await as('owner').channels.edit({ stream_id: channels.shared, new_name: 'Regicide' });
      const narrow = [{ operator: 'channel', operand: channels.shared }];
      const { messages } = await as('moderator').messages.list({
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
        narrow,
      });
      const [message] = messages.slice(-1);
      assert.deepEqual([message?.display_recipient, message?.reactions], ['Council', []]);
    },
  },
  {
    ...list('a narrow to a channel that the caller has left does not show its reactions', 'moderator', ({ channels }) =>
      narrowed({ operator: 'channel', operand: channels.shared }, ['has', 'reaction']),
    ),
    given: async (world) => {
      await leavesCouncil(world);
      await world.as('hamlet').messages.addReaction({ message_id: world.messages.council, emoji_name: 'tada' });
    },
  },
  ...(
    [
      [
        'edited',
        ({ as, messages }) => as('hamlet').messages.edit({ message_id: messages.council, content: 'Secret.' }),
      ],
      ['moved', ({ as, messages }) => as('hamlet').messages.edit({ message_id: messages.council, topic: 'Secret' })],
      [
        'moved with its topic',
        ({ as, messages }) =>
          as('hamlet').messages.edit({
            message_id: messages.council,
            topic: 'Secret',
            propagate_mode: 'change_all',
            send_notification_to_new_thread: false,
          }),
      ],
    ] as const satisfies readonly (readonly [string, (world: World) => Promise<unknown>])[]
  ).map(
    ([changed, change]): Case => ({
      ...list(`a message that was ${changed} after the caller left is not found`, 'moderator', ({ channels }) =>
        narrowed({ operator: 'channel', operand: channels.shared }),
      ),
      given: async (world) => {
        await world.settings({
          message_content_edit_limit_seconds: null,
          move_messages_within_stream_limit_seconds: null,
        });
        await leavesCouncil(world);
        await change(world);
      },
    }),
  ),
  {
    ...list(
      'a public channel that a guest has left has the messages that the guest received',
      'guest',
      ({ channels }) => narrowed({ operator: 'channel', operand: channels.default }),
    ),
    given: ({ as }) => as('guest').subscriptions.remove({ subscriptions: ['Square'] }),
  },
  {
    ...list(
      '(H3) a public channel that a member has left keeps its messages',
      'hamlet',
      narrowed(['channel', 'Denmark']),
      'ghost',
      'ghostReply',
    ),
    given: ({ as }) => as('hamlet').subscriptions.remove({ subscriptions: ['Denmark'] }),
  },
  {
    name: '(H3) the name of a private channel that the caller has left is BAD_NARROW, because it may be new',
    as: 'moderator',
    given: async ({ as, channels }) => {
      await as('moderator').subscriptions.remove({ subscriptions: ['Council'] });
      await as('owner').channels.edit({ stream_id: channels.shared, new_name: 'Regicide' });
    },
    call: ['messages.list', narrowed(['channel', 'Regicide'])],
    refuses: { code: 'BAD_NARROW', data: { desc: 'there is no channel "Regicide" that you can read' } },
  },
  {
    ...list(
      'a channel is found by its external ID',
      'hamlet',
      narrowed(['channel', 'external:d1']),
      'ghost',
      'ghostReply',
    ),
    given: ({ storage, channels }) => storage.write((tx) => tx.channels.update(channels.public, { external_id: 'd1' })),
  },
  {
    name: 'the external ID of a channel that the caller cannot see is BAD_NARROW',
    as: 'cordelia',
    given: ({ storage, channels }) => storage.write((tx) => tx.channels.update(channels.shared, { external_id: 's1' })),
    call: ['messages.list', narrowed(['channel', 'external:s1'])],
    refuses: { code: 'BAD_NARROW', data: { desc: 'there is no channel "external:s1" that you can read' } },
  },
  {
    name: '(H3) the ID of a private channel that the caller never saw is BAD_NARROW',
    as: 'cordelia',
    call: ['messages.list', ({ channels }) => narrowed({ operator: 'channel', operand: channels.shared })],
    refuses: { code: 'BAD_NARROW', data: { desc: /^there is no channel \d+ that you can read$/ } },
  },
]);
