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
const NOBODY = 1;
const MODERATORS = 4;

export const deleteMessageCases = cases('messages.delete', [
  {
    name: "deletes a message of one's own and tells everybody who had it",
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
    name: "deletes another's message with the permission to",
    as: 'administrator',
    given: said,
    call: kept,
    events: ({ kept }) => ({ hamlet: [{ type: 'delete_message', message_id: kept.id }] }),
  },
  {
    name: "refuses another's message without it",
    as: 'cordelia',
    given: said,
    call: kept,
    refuses: { code: 'BAD_REQUEST' },
  },
  refuses("refuses a moderator another's message without the permission to", 'moderator', said),
  allows('deletes for ten minutes', 'hamlet', later(600)),
  refuses('refuses after ten minutes', 'hamlet', later(601)),
  allows('deletes at any time without a limit', 'hamlet', async (world) => {
    await world.settings({ message_content_delete_limit_seconds: null });
    await later(86_400)(world);
  }),
  allows('deletes at any time with the permission to delete any', 'administrator', later(86_400)),
  allows(
    'the organization says who may delete any',
    'moderator',
    withSettings({ can_delete_any_message_group: MODERATORS }),
  ),
  allows('the channel may let somebody delete any', 'moderator', async (world) => {
    await said(world);
    const settings = { can_delete_any_message_group: MODERATORS };
    await world.storage.write((tx) => tx.channels.update(world.channels.public, { settings }));
  }),
  refuses(
    'refuses where nobody may delete their own',
    'hamlet',
    withSettings({ can_delete_own_message_group: NOBODY }),
  ),
  allows('the channel may let them delete their own', 'hamlet', async (world) => {
    await withSettings({ can_delete_own_message_group: NOBODY })(world);
    const mine = { direct_members: [world.users.hamlet], direct_subgroups: [] };
    await world.storage.write((tx) =>
      tx.channels.update(world.channels.public, { settings: { can_delete_own_message_group: mine } }),
    );
  }),
  allows("deletes what one's bot wrote", 'hamlet', async (world) => {
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
    name: 'the empty topic is told by its display name to clients that do not know it',
    as: 'hamlet',
    given: async (world) => {
      const to = world.channels.public;
      world.kept.id = (await world.as('hamlet').messages.send({ type: 'channel', to, topic: '', content: 'one' })).id;
    },
    call: kept,
    events: () => ({ cordelia: [{ type: 'delete_message', topic: 'general chat' }] }),
  },
  {
    name: 'is done only once',
    as: 'hamlet',
    given: async (world) => {
      await said(world);
      await world.as('hamlet').messages.delete({ message_id: world.kept.id as number });
    },
    call: kept,
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'refuses a message that does not exist',
    as: 'owner',
    call: ['messages.delete', { message_id: 999_999 }],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'refuses in an archived channel',
    as: 'owner',
    call: ['messages.delete', ({ messages }) => ({ message_id: messages.ruins })],
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
  {
    name: 'nobody deletes without credentials',
    as: 'nobody',
    given: said,
    call: kept,
    refuses: { code: 'UNAUTHORIZED', status: 401 },
  },
  {
    name: 'refuses what is out of sight',
    as: 'administrator',
    call: ['messages.delete', ({ messages }) => ({ message_id: messages.vaultAfter })],
    refuses: { code: 'BAD_REQUEST' },
  },
  {
    name: 'when the first message of a channel is deleted, whoever knows of the channel is told which is the first now',
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
