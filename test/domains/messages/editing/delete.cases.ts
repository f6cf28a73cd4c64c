import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import { ABSENT } from '../../../world/matching.ts';
import type { World } from '../../../world/world.ts';
import { said } from './said.ts';

const kept = ['messages.delete', ({ kept }: World) => ({ message_id: kept.id })] as const;

const allows = (name: string, as: UserName, given: Case['given']): Case => ({
  name,
  as,
  given: given as NonNullable<Case['given']>,
  call: kept,
  events: () => ({ cordelia: [{ type: 'delete_message' }] }),
});
const refuses = (name: string, as: Case['as'], given: Case['given']): Case => ({
  name,
  as,
  given: given as NonNullable<Case['given']>,
  call: kept,
  refuses: { code: 'BAD_REQUEST' },
});

const withSettings = (settings: Record<string, unknown>) => async (world: World) => {
  await said(world);
  await world.settings(settings);
};
const later = (seconds: number) => async (world: World) => {
  await said(world);
  world.clock.advance({ seconds });
};
const ROLE_NOBODY = 1;
const MODERATORS = 4;

export const deleteMessageCases = cases('messages.delete', [
  {
    name: 'a user deletes their own message, and every recipient gets the event',
    as: 'hamlet',
    given: said,
    call: kept,
    events: ({ kept, channels }) => {
      const event = {
        type: 'delete_message',
        message_id: kept.id,
        message_type: 'stream',
        stream_id: channels.public,
        topic: 'acts',
      };
      return { hamlet: [event], cordelia: [event], guest: [] };
    },
  },
  {
    name: 'a user with the permission deletes a message of another user',
    as: 'administrator',
    given: said,
    call: kept,
    events: ({ kept }) => ({ hamlet: [{ type: 'delete_message', message_id: kept.id }] }),
  },
  {
    name: 'a user without the permission cannot delete a message of another user',
    as: 'cordelia',
    given: said,
    call: kept,
    refuses: { code: 'BAD_REQUEST' },
  },
  refuses('a moderator without the permission cannot delete a message of another user', 'moderator', said),
  allows('a user deletes their own message within ten minutes', 'hamlet', later(600)),
  refuses('a user cannot delete their own message after ten minutes', 'hamlet', later(601)),
  allows('without a time limit, a user deletes their own message at any time', 'hamlet', async (world) => {
    await world.settings({ message_content_delete_limit_seconds: null });
    await later(86_400)(world);
  }),
  allows('a user with the permission to delete any message deletes at any time', 'administrator', later(86_400)),
  allows(
    'can_delete_any_message_group of the organization lets its members delete any message',
    'moderator',
    withSettings({ can_delete_any_message_group: MODERATORS }),
  ),
  allows(
    'can_delete_any_message_group of the channel lets its members delete any message',
    'moderator',
    async (world) => {
      await said(world);
      const settings = { can_delete_any_message_group: MODERATORS };
      await world.storage.write((tx) => tx.channels.update(world.channels.public, { settings }));
    },
  ),
  refuses(
    'a user outside can_delete_own_message_group cannot delete their own message',
    'hamlet',
    withSettings({ can_delete_own_message_group: ROLE_NOBODY }),
  ),
  allows(
    'can_delete_own_message_group of the channel lets its members delete their own messages',
    'hamlet',
    async (world) => {
      await withSettings({ can_delete_own_message_group: ROLE_NOBODY })(world);
      const mine = { direct_members: [world.users.hamlet], direct_subgroups: [] };
      await world.storage.write((tx) =>
        tx.channels.update(world.channels.public, { settings: { can_delete_own_message_group: mine } }),
      );
    },
  ),
  allows('a user deletes a message of their own bot', 'hamlet', async (world) => {
    const to = world.channels.public;
    world.kept.id = (await world.as('bot').messages.send({ type: 'channel', to, topic: 'acts', content: 'one' })).id;
  }),
  {
    name: 'a direct message has no channel and no topic in the event',
    as: 'hamlet',
    given: async (world) => {
      const to = [world.users.cordelia];
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'direct', to, content: 'dear' })).id;
    },
    call: kept,
    events: ({ kept }) => ({
      cordelia: [
        { type: 'delete_message', message_id: kept.id, message_type: 'private', stream_id: ABSENT, topic: ABSENT },
      ],
      owner: [],
    }),
  },
  {
    name: 'the event has the display name of the empty topic for clients that do not support it',
    as: 'hamlet',
    given: async (world) => {
      const to = world.channels.public;
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'channel', to, topic: '', content: 'one' })).id;
    },
    call: kept,
    events: () => ({ cordelia: [{ type: 'delete_message', topic: 'general chat' }] }),
  },
  {
    name: 'a deleted message cannot be deleted again',
    as: 'hamlet',
    given: async (world) => {
      await said(world);
      await world.as('hamlet').messages.delete({ message_id: world.kept.id as number });
    },
    call: kept,
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'a message that does not exist is refused',
    as: 'owner',
    call: ['messages.delete', { message_id: 999_999 }],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'a message in an archived channel is refused',
    as: 'owner',
    call: ['messages.delete', ({ messages }) => ({ message_id: messages.ruins })],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'a request without credentials is refused',
    as: 'anonymous',
    given: said,
    call: kept,
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'a message the caller cannot read is refused',
    as: 'administrator',
    call: ['messages.delete', ({ messages }) => ({ message_id: messages.vaultAfter })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'deleting the first message of a channel sends its new first message ID to users who can see the channel',
    as: 'owner',
    given: async (world) => {
      const narrow = [{ operator: 'channel', operand: world.channels.public }];
      const { messages } = await world.as('hamlet').messages.list({ anchor: 'oldest', num_after: 2, narrow });
      [world.kept.first, world.kept.second] = messages.map(({ id }) => id) as [number, number];
    },
    call: ['messages.delete', ({ kept }) => ({ message_id: kept.first })],
    events: ({ channels, kept }) => {
      const first = {
        type: 'stream',
        op: 'update',
        stream_id: channels.public,
        name: 'Denmark',
        property: 'first_message_id',
        value: kept.second,
      };
      return { cordelia: [{ type: 'delete_message' }, first], newcomer: [first], guest: [] };
    },
  },
]);
