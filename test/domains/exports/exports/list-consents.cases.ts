import { cases } from '../../../world/case.ts';

export const listExportConsentsCases = cases('exports.listConsents', [
  {
    name: 'the list says which users allow exports of their private data, and has no bots',
    as: 'administrator',
    given: async ({ as }) => as('cordelia').settings.edit({ allow_private_data_export: true }),
    call: ['exports.listConsents'],
    returns: ({ users }) => ({
      export_consents: (list: unknown) => {
        const given = new Map(
          (list as { user_id: number; consented: boolean }[]).map((row) => [row.user_id, row.consented]),
        );
        return given.get(users.cordelia) === true && given.get(users.owner) === false && !given.has(users.bot);
      },
    }),
  },
]);
