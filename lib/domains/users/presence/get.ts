import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { isOffline } from '../../../rules/presence.ts';
import { isBot } from '../../../rules/roles.ts';
import { presenceCacheOf, reportOf } from './presence-cache.ts';

/** In code points: the longest e-mail address. */
const MAX_NAME = 320;

const timestamp = describe(v.number(), 'Time of the last report; UNIX seconds.');

export const getPresence = defineOperation({
  name: 'presence.get',
  http: 'GET /users/{user_id_or_email}/presence',
  summary: 'Get the presence of a user',
  example: { user_id_or_email: 'ada@example.com' },
  access: 'user',
  params: { user_id_or_email: describe(text(MAX_NAME), 'User ID, or real or placeholder e-mail address.') },
  result: v.object({
    presence: v.object({
      aggregated: v.object({
        status: describe(v.picklist(['active', 'idle', 'offline']), 'offline: no report for 200 seconds.'),
        timestamp,
      }),
      website: v.object({ status: describe(v.picklist(['active', 'idle']), 'Status in the last report.'), timestamp }),
    }),
  }),
  async run(context, { user_id_or_email }) {
    const { tx, organization, now, services } = context;
    const user = /^[0-9]{1,15}$/.test(user_id_or_email)
      ? await context.viewer.account(Number(user_id_or_email))
      : await context.viewer.accountByAddress(user_id_or_email);
    if (!user.is_active) throw new BadRequest(`The account ${user_id_or_email} has been deactivated.`);
    if (isBot(user)) throw new BadRequest('Bots have no presence.');
    const presenceCache = presenceCacheOf(services);
    await presenceCache.catchUp(tx);
    const isShown = !organizationSetting(organization, 'presence_disabled');
    const seen = isShown ? presenceCache.shownOf(user) : undefined;
    if (!seen) throw new BadRequest(`No presence is known for ${user_id_or_email}.`);
    const { status, atMs } = reportOf(seen);
    const timestamp = Math.floor(atMs / 1000);
    const aggregated = { status: isOffline({ connected_ms: atMs }, now) ? ('offline' as const) : status, timestamp };
    return { presence: { aggregated, website: { status, timestamp } } };
  },
});
