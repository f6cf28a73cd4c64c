import * as v from 'valibot';
import { reportOf } from '../../../access/presence-view.ts';
import { accessUser, accessUserByAddress } from '../../../access/users.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, text } from '../../../kernel/schemas.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isOffline } from '../../../rules/presence.ts';
import { isBot } from '../../../rules/roles.ts';

/** Code points; as long as an address may be. */
const MAX_NAME = 320;

const timestamp = describe(v.number(), 'UNIX seconds, of the last report.');

export const getPresence = defineOperation({
  name: 'presence.get',
  http: 'GET /users/{user_id_or_email}/presence',
  summary: 'Get when somebody was last there',
  example: { user_id_or_email: 'ada@example.com' },
  access: 'user',
  effect: 'read',
  params: v.object({ user_id_or_email: describe(text(MAX_NAME), 'ID, or real or placeholder address.') }),
  result: v.object({
    presence: v.object({
      aggregated: v.object({
        status: describe(v.picklist(['active', 'idle', 'offline']), 'offline: nothing reported for 200 seconds.'),
        timestamp,
      }),
      website: v.object({ status: describe(v.picklist(['active', 'idle']), 'As of the last report.'), timestamp }),
    }),
  }),
  errors: [BadRequest],
  async run(context, { user_id_or_email }) {
    const { tx, actor, organization, now, services } = context;
    const user = /^[0-9]{1,15}$/.test(user_id_or_email)
      ? await accessUser(context, actor, Number(user_id_or_email))
      : await accessUserByAddress(context, actor, user_id_or_email);
    if (!user.is_active) throw new BadRequest(`The account ${user_id_or_email} has been deactivated.`);
    if (isBot(user)) throw new BadRequest('Bots have no presence.');
    await services.presenceCache.catchUp(tx);
    const isShown = !organizationSetting(organization, 'presence_disabled');
    const seen = isShown ? services.presenceList.shownOf(user) : undefined;
    if (!seen) throw new BadRequest(`Nothing is known of the presence of ${user_id_or_email}.`);
    const { status, atMs } = reportOf(seen);
    const timestamp = Math.floor(atMs / 1000);
    const aggregated = { status: isOffline({ connected_ms: atMs }, now) ? ('offline' as const) : status, timestamp };
    return { presence: { aggregated, website: { status, timestamp } } };
  },
});
