import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import type { ChannelName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const archiving = (channel: ChannelName) =>
  ['channels.archive', ({ channels }: World) => ({ stream_id: channels[channel] })] as const;
/** Events that clients without archived_channels receive, for these observers. */
const deletion = ({ channels }: World, channel: ChannelName) => ({
  type: 'stream',
  op: 'delete',
  stream_ids: [channels[channel]],
});

const allRead = async ({ as }: World) => {
  for (const user of ['hamlet', 'cordelia', 'guest', 'administrator'] as const) await as(user).messages.markAllRead();
};

/** Cordelia has unread messages, a mention, and a message marked as unread. */
const unread = async ({ as, channels, messages, kept }: World) => {
  const to = { type: 'channel', to: channels.public, topic: 'ghosts' } as const;
  kept.id = (await as('hamlet').messages.send({ ...to, content: '@**Cordelia** @**all**' })).id;
  await as('cordelia').messages.updateFlags({ messages: [messages.ghostReply], op: 'remove', flag: 'read' });
};

const nothingUnread = async ({ as, channels, kept }: World) => {
  const client_capabilities = { archived_channels: true, notification_settings_null: true };
  for (const capabilities of [client_capabilities, {}]) {
    const { unread_msgs } = await as('cordelia').register({ client_capabilities: capabilities });
    const { streams, mentions } = unread_msgs as { streams: { stream_id: number }[]; mentions: number[] };
    assert.ok(!streams.some(({ stream_id }) => stream_id === channels.public));
    assert.ok(!mentions.includes(kept.id as number));
  }
  const { message } = await as('cordelia').messages.get({ message_id: kept.id as number });
  assert.ok(message.flags?.includes('read'));
};

const read = { type: 'update_message_flags', op: 'add', flag: 'read', all: false };

/** Archives or unarchives a channel. */
export const archivedByEditCases = cases('channels.edit', [
  {
    name: '(D9) messages in a channel archived with PATCH are read',
    as: 'administrator',
    given: unread,
    call: ['channels.edit', ({ channels }) => ({ stream_id: channels.public, is_archived: true })],
    events: (world) => ({ cordelia: [read, deletion(world, 'public')] }),
    state: nothingUnread,
  },
  {
    name: '(D9) messages stay read when their channel is unarchived',
    as: 'administrator',
    given: async (world) => {
      await unread(world);
      await world.as('administrator').channels.archive({ stream_id: world.channels.public });
    },
    call: ['channels.edit', ({ channels }) => ({ stream_id: channels.public, is_archived: false })],
    state: nothingUnread,
  },
]);

export const archiveChannelCases = cases('channels.archive', [
  {
    name: 'an administrator archives a channel, and all members get the event',
    as: 'administrator',
    call: archiving('public'),
    events: (world) => ({ cordelia: [deletion(world, 'public')], newcomer: [deletion(world, 'public')], guest: [] }),
    given: allRead,
    state: async (world) => {
      const { streams } = await world.as('owner').channels.list({ exclude_archived: false });
      if (!streams.find((one) => one.stream_id === world.channels.public)?.is_archived) throw new Error('not archived');
    },
  },
  {
    name: 'only users who can see a private channel get the event of its archiving',
    as: 'owner',
    given: allRead,
    call: archiving('shared'),
    events: (world) => ({
      hamlet: [deletion(world, 'shared')],
      administrator: [deletion(world, 'shared')],
      cordelia: [],
    }),
  },
  {
    name: 'an archived channel is removed from the default channels',
    as: 'owner',
    given: allRead,
    call: archiving('default'),
    events: (world) => ({
      newcomer: [deletion(world, 'default'), { type: 'default_streams', default_streams: [] }],
      guest: [deletion(world, 'default')],
    }),
  },
  {
    name: '(D9) messages in an archived channel are read, also mentions and those marked as unread',
    as: 'administrator',
    given: unread,
    call: archiving('public'),
    events: (world) => ({
      cordelia: [
        {
          ...read,
          messages: (ids: number[]) => ids.includes(world.messages.ghostReply) && ids.includes(Number(world.kept.id)),
        },
        deletion(world, 'public'),
      ],
    }),
    state: nothingUnread,
  },
  {
    name: 'a member is refused',
    as: 'hamlet',
    call: archiving('public'),
    refuses: { code: 'BAD_REQUEST', says: /not allowed/ },
  },
  {
    name: 'F10: a channel that is already archived is refused as archived, not as missing',
    as: 'owner',
    call: archiving('archived'),
    refuses: { code: 'BAD_REQUEST', says: /^The channel ".*" is archived\.$/ },
  },
  {
    name: 'a private channel the caller cannot see is refused as missing',
    as: 'cordelia',
    call: archiving('shared'),
    refuses: { code: 'BAD_REQUEST', says: /that you can access/ },
  },
]);
