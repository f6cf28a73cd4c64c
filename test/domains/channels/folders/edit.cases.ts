import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';

const refused = (name: string, given: object, says: RegExp): Case => ({
  name,
  as: 'administrator',
  call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.plays, ...given })],
  refuses: { code: 'BAD_REQUEST', says },
});

export const editChannelFolderCases = cases('channelFolders.edit', [
  {
    name: 'name and description change, and all users get an event for each',
    as: 'administrator',
    call: [
      'channelFolders.edit',
      ({ folders }) => ({ channel_folder_id: folders.plays, name: ' Tragedies ', description: 'with\n*deaths*' }),
    ],
    returns: {},
    events: ({ folders }) => ({
      guest: [
        { type: 'channel_folder', op: 'update', channel_folder_id: folders.plays, data: { name: 'Tragedies' } },
        {
          type: 'channel_folder',
          op: 'update',
          channel_folder_id: folders.plays,
          data: { description: 'with *deaths*', rendered_description: '<p>with <em>deaths</em></p>' },
        },
      ],
    }),
  },
  {
    name: 'an empty folder is archived, and its name can be used again',
    as: 'administrator',
    call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.plays, is_archived: true })],
    events: ({ folders }) => ({
      guest: [{ type: 'channel_folder', op: 'update', channel_folder_id: folders.plays, data: { is_archived: true } }],
    }),
    state: async ({ as }) => {
      await as('owner').channelFolders.create({ name: 'Plays' });
      const { channel_folders } = await as('guest').channelFolders.list();
      assert.deepEqual(
        channel_folders.map((folder) => folder.name),
        ['Plays'],
      );
    },
  },
  {
    name: 'brings an archived folder back',
    as: 'administrator',
    call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.oldPlays, is_archived: false })],
    events: () => ({ guest: [{ type: 'channel_folder', data: { is_archived: false } }] }),
  },
  {
    name: 'values equal to the present ones change nothing and send no event',
    as: 'administrator',
    call: [
      'channelFolders.edit',
      ({ folders }) => ({ channel_folder_id: folders.plays, name: 'Plays', description: '', is_archived: false }),
    ],
    events: () => ({ guest: [] }),
  },
  {
    name: 'a folder can change the case of its name',
    as: 'administrator',
    call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.plays, name: 'PLAYS' })],
    events: () => ({ guest: [{ data: { name: 'PLAYS' } }] }),
  },
  {
    name: 'an archived folder whose name is now in use cannot be restored',
    as: 'administrator',
    given: ({ as }) => as('owner').channelFolders.create({ name: 'old PLAYS' }),
    call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.oldPlays, is_archived: false })],
    refuses: { code: 'BAD_REQUEST', says: /already exists/ },
  },
  {
    name: 'the name of another active folder is refused, and the request changes nothing',
    as: 'administrator',
    given: ({ as }) => as('owner').channelFolders.create({ name: 'Comedies' }),
    call: [
      'channelFolders.edit',
      ({ folders }) => ({ channel_folder_id: folders.plays, name: 'comedies', description: 'new' }),
    ],
    refuses: { code: 'BAD_REQUEST', says: /already exists/ },
  },
  {
    name: 'a folder with channels cannot be archived',
    as: 'administrator',
    given: ({ as, channels, folders }) =>
      as('owner').channels.edit({ stream_id: channels.public, folder_id: folders.plays }),
    call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.plays, is_archived: true })],
    refuses: { code: 'BAD_REQUEST', says: /Remove all channels/ },
  },
  refused('an empty name is refused', { name: ' ' }, /empty/),
  refused('a name of more than 60 characters is refused', { name: 'x'.repeat(61) }, /limit: 60/),
  refused('an unknown folder is refused', { channel_folder_id: 99 }, /ID 99/),
  {
    name: 'only administrators change folders',
    as: 'moderator',
    call: ['channelFolders.edit', { channel_folder_id: 1 }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);

const ordering = (name: string, order: (folders: { plays: number; oldPlays: number }) => number[]): Case => ({
  name,
  as: 'administrator',
  call: ['channelFolders.reorder', ({ folders }) => ({ order: order(folders) })],
  refuses: { code: 'BAD_REQUEST', says: /exactly once/ },
});

export const reorderChannelFoldersCases = cases('channelFolders.reorder', [
  {
    name: 'the folders get a new order, and all users get the event',
    as: 'administrator',
    call: ['channelFolders.reorder', ({ folders }) => ({ order: [folders.oldPlays, folders.plays] })],
    events: ({ folders }) => ({
      guest: [{ type: 'channel_folder', op: 'reorder', order: [folders.oldPlays, folders.plays] }],
    }),
    state: async ({ as, folders }) => {
      const { channel_folders } = await as('guest').channelFolders.list({ include_archived: true });
      assert.deepEqual(
        channel_folders.map((folder) => folder.id),
        [folders.oldPlays, folders.plays],
      );
    },
  },
  ordering('an order without one of the folders is refused', ({ plays }) => [plays]),
  ordering('an order with a folder twice is refused', ({ plays, oldPlays }) => [plays, oldPlays, plays]),
  ordering('an order with an unknown folder is refused', ({ plays }) => [plays, 99]),
  {
    name: 'only administrators reorder folders',
    as: 'moderator',
    call: ['channelFolders.reorder', { order: [] }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
