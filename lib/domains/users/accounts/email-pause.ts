import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { isAdministrator, isBot } from '../../../rules/roles.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { pausedUntil } from '../../notifications/email/bounces.ts';

export const emailPauseEntries = {
  email_paused_until: describe(
    v.optional(v.number()),
    'Until then, the account gets no e-mail notifications, because its address bounces. UNIX time in seconds. Only for administrators.',
  ),
};

export async function emailPauseFor({ tx, actor, now }: AccountContext, user: User) {
  if (!isAdministrator(actor) || isBot(user)) return {};
  const until = await pausedUntil(tx, user, now);
  return until === undefined ? {} : { email_paused_until: Math.ceil(until / 1000) };
}
