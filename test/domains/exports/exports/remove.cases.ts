import { cases } from '../../../world/case.ts';
import { finishedExport } from './finished-export.ts';

export const removeExportCases = cases('exports.remove', [
  {
    name: 'a deleted export stays in the list without its file',
    as: 'administrator',
    given: async (world) => {
      world.kept.id = await finishedExport(world);
    },
    call: ['exports.remove', ({ kept }) => ({ export_id: kept.id })],
    events: ({ kept }) => {
      const deleted_timestamp = (time: unknown) => typeof time === 'number';
      const event = {
        type: 'realm_export',
        exports: [{ id: kept.id, pending: false, export_url: null, failed_timestamp: null, deleted_timestamp }],
      };
      return { owner: [event], administrator: [event], moderator: [] };
    },
  },
  {
    name: 'an export that runs cannot be deleted',
    as: 'owner',
    given: async ({ as, kept }) => {
      kept.id = (await as('owner').exports.create()).id;
    },
    call: ['exports.remove', ({ kept }) => ({ export_id: kept.id })],
    refuses: { code: 'BAD_REQUEST', says: /has not finished yet/ },
  },
  {
    name: 'a failed export cannot be deleted',
    as: 'owner',
    given: async ({ storage, users, kept }) => {
      const given = { acting_user_id: users.owner, export_type: 1, created_ms: 1 };
      kept.id = await storage.write(async (tx) => {
        const id = await tx.dataExports.create(given);
        await tx.dataExports.begin(id, 'a');
        await tx.dataExports.fail(id, 'a', 2);
        return id;
      });
    },
    call: ['exports.remove', ({ kept }) => ({ export_id: kept.id })],
    refuses: { code: 'BAD_REQUEST', says: /failed, so there is nothing to delete/ },
  },
  {
    name: 'an export can be deleted once',
    as: 'owner',
    given: async (world) => {
      world.kept.id = await finishedExport(world);
      await world.as('owner').exports.remove({ export_id: world.kept.id as number });
    },
    call: ['exports.remove', ({ kept }) => ({ export_id: kept.id })],
    refuses: { code: 'BAD_REQUEST', says: /already deleted/ },
  },
  {
    name: 'an unknown export cannot be deleted',
    as: 'owner',
    call: ['exports.remove', { export_id: 99 }],
    refuses: { code: 'BAD_REQUEST', says: /no export with this ID/ },
  },
]);
