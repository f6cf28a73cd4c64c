import { type Case, cases } from '../../../world/case.ts';

const refused = (name: string, given: object, says: RegExp): Case => ({
  name,
  as: 'administrator',
  call: ['channelFolders.create', { name: 'Comedies', ...given }],
  refuses: { code: 'BAD_REQUEST', says },
});

export const createChannelFolderCases = cases('channelFolders.create', [
  {
    name: 'a folder is created, and all users get the event',
    as: 'administrator',
    call: ['channelFolders.create', { name: ' Comedies ', description: 'with *jokes*' }],
    returns: { channel_folder_id: (id: unknown) => Number.isSafeInteger(id) },
    events: ({ users }) => ({
      guest: [
        {
          type: 'channel_folder',
          op: 'add',
          channel_folder: {
            name: 'Comedies',
            description: 'with *jokes*',
            rendered_description: '<p>with <em>jokes</em></p>',
            creator_id: users.administrator,
            is_archived: false,
          },
        },
      ],
    }),
  },
  {
    name: 'the name of an archived folder can be used again',
    as: 'administrator',
    call: ['channelFolders.create', { name: 'Old plays' }],
  },
  refused('the name of an active folder is refused, whatever its case', { name: 'plays' }, /already exists/),
  refused('an empty name is refused', { name: ' ' }, /empty/),
  refused('a name of more than 60 characters is refused', { name: 'x'.repeat(61) }, /limit: 60/),
  refused('a name has no control characters', { name: 'Come\u0007dies' }, /control/),
  refused('a description of more than 1024 characters is refused', { description: 'x'.repeat(1025) }, /limit: 1024/),
  {
    name: 'only administrators create folders',
    as: 'moderator',
    call: ['channelFolders.create', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
