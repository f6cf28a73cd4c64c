import { cases } from '../../../world/case.ts';

const isId = (id: unknown) => Number.isSafeInteger(id);

export const createExportCases = cases('exports.create', [
  {
    name: 'an export starts, and administrators get an event with the list',
    as: 'administrator',
    call: ['exports.create', { export_type: 2 }],
    returns: { id: isId },
    events: ({ users }) => {
      const exports = [
        {
          ...{ id: isId, acting_user_id: users.administrator, export_type: 2, pending: true },
          ...{ deleted_timestamp: null, failed_timestamp: null, export_url: null },
        },
      ];
      const event = { type: 'realm_export', exports };
      return { owner: [event], administrator: [event], moderator: [], guest: [] };
    },
  },
  {
    name: 'the sixth export in 7 days is refused',
    as: 'owner',
    given: async ({ as }) => {
      for (let count = 0; count < 5; count++) await as('owner').exports.create();
    },
    call: ['exports.create', {}],
    refuses: { code: 'BAD_REQUEST', says: /at most 5 exports in 7 days/ },
  },
  {
    name: 'an export of all data is refused: the API has none',
    as: 'owner',
    call: ['exports.create', { export_type: 3 }],
    refuses: { code: 'BAD_REQUEST', says: /export_type/ },
  },
  {
    name: 'a moderator cannot export',
    as: 'moderator',
    call: ['exports.create', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
