import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isBot } from '../../../rules/roles.ts';

export const listExportConsents = defineOperation({
  name: 'exports.listConsents',
  http: 'GET /export/realm/consents',
  summary: 'List which users allow exports of their private data (administrators)',
  access: 'administrator',
  extent: () => 'large',
  result: v.object({
    export_consents: describe(
      v.array(
        v.object({
          user_id: describe(v.number(), 'The user.'),
          consented: describe(v.boolean(), 'Value of `allow_private_data_export`.'),
        }),
      ),
      'Active users, without bots.',
    ),
  }),
  async run({ accounts }) {
    const people = (await accounts()).all().filter((user) => user.is_active && !isBot(user));
    return {
      export_consents: people.map(({ id, settings }) => ({
        user_id: id,
        consented: settings.allow_private_data_export === true,
      })),
    };
  },
});
