import { cases } from '../../../world/case.ts';
import { finishedExport } from './finished-export.ts';

export const listExportsCases = cases('exports.list', [
  {
    name: 'a finished export has the URL of its file',
    as: 'administrator',
    given: async (world) => {
      world.kept.id = await finishedExport(world);
    },
    call: ['exports.list'],
    returns: ({ users, kept }) => ({
      exports: [
        {
          ...{ id: kept.id, acting_user_id: users.owner, export_time: 1, pending: false, export_type: 1 },
          ...{ deleted_timestamp: null, failed_timestamp: null },
          export_url: (url: unknown) => new RegExp(`/user_uploads/1/ab/A{24}/export-${kept.id}.zip$`).test(String(url)),
        },
      ],
    }),
  },
]);
