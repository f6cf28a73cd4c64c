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
    name: 'changes name and description; everybody learns of each',
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
    name: 'archives a folder without channels; its name is free from then on',
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
    name: 'what it is already changes nothing and is told to nobody',
    as: 'administrator',
    call: [
      'channelFolders.edit',
      ({ folders }) => ({ channel_folder_id: folders.plays, name: 'Plays', is_archived: false }),
    ],
    events: () => ({ guest: [] }),
  },
  {
    name: 'its own name in another case is free',
    as: 'administrator',
    call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.plays, name: 'PLAYS' })],
    events: () => ({ guest: [{ data: { name: 'PLAYS' } }] }),
  },
  {
    name: 'a folder whose name was taken meanwhile does not come back under it',
    as: 'administrator',
    given: ({ as }) => as('owner').channelFolders.create({ name: 'old PLAYS' }),
    call: ['channelFolders.edit', ({ folders }) => ({ channel_folder_id: folders.oldPlays, is_archived: false })],
    refuses: { code: 'BAD_REQUEST', says: /already exists/ },
  },
  {
    name: 'the name of another folder in use is taken, and nothing of the call is done',
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
    refuses: { code: 'BAD_REQUEST', says: /take them out/ },
  },
  refused('a name cannot be empty', { name: ' ' }, /empty/),
  refused('a name has 60 characters at most', { name: 'x'.repeat(61) }, /limit: 60/),
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
    name: 'gives the folders another order; everybody learns of it',
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
  ordering('every folder must be named', ({ plays }) => [plays]),
  ordering('each is named once', ({ plays, oldPlays }) => [plays, oldPlays, plays]),
  ordering('none is made up', ({ plays }) => [plays, 99]),
  {
    name: 'only administrators reorder folders',
    as: 'moderator',
    call: ['channelFolders.reorder', { order: [] }],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
