import * as v from 'valibot';
import type { AccountContext } from '../../../access/context.ts';
import { choice, describe, flag, id, integer, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { latestOf, type PresenceStatus, seenAgain } from '../../../rules/presence.ts';
import { emitPresence, HISTORY_DAYS, isAudienceSmall, presences, presencesFor, serverTimestamp } from './presence.ts';

export const reportPresence = defineOperation({
  name: 'presence.report',
  http: 'POST /users/me/presence',
  summary: 'Report your presence and get the presence of others',
  description:
    'Clients report once a minute. They pass presence_last_update_id from the response as last_update_id of the next ' +
    'request. Reports are written every few seconds. A server crash loses the reports of the last seconds; ' +
    'the next reports replace them.',
  example: { status: 'active', last_update_id: -1 },
  access: 'human',
  effect: 'manual',
  params: v.object({
    status: describe(choice(['active', 'idle']), 'active: the user has used this client recently.'),
    ping_only: optional(flag, 'Only report; the response contains no presences.', false),
    new_user_input: optional(flag, 'Whether there was input since the last report. Not stored.', false),
    slim_presence: optional(flag, 'Return presences by user ID, with two times each.', false),
    last_update_id: optional(
      v.pipe(integer, v.minValue(-1, 'must be at least -1')),
      'Return only changes after this update, in the slim form; -1: all.',
    ),
    history_limit_days: optional(id, 'Only users seen in this many days. Default: 14; with last_update_id: all.'),
  }),
  result: v.object({
    presences: v.optional(presences),
    server_timestamp: v.optional(serverTimestamp),
    presence_last_update_id: optional(v.number(), 'ID of the latest update included; -1 if there are no updates.'),
  }),
  async run(context, given) {
    const { transact, isTrial } = context;
    const { status, ping_only, slim_presence, last_update_id, history_limit_days } = given;
    if (ping_only && !isTrial && gatherKnown(context, status)) return {};
    const answer = async (context: AccountContext) => {
      if (ping_only) return {};
      const { presences: found, lastUpdateId } = await presencesFor<v.InferOutput<typeof presences>>(context, {
        form: slim_presence || last_update_id !== undefined ? 'slim' : 'legacy',
        historyDays: history_limit_days ?? (last_update_id === undefined ? HISTORY_DAYS : undefined),
        afterId: last_update_id ?? -1,
      });
      return {
        presences: found,
        server_timestamp: context.now / 1000,
        presence_last_update_id: lastUpdateId === 0 ? -1 : lastUpdateId,
      };
    };
    const answered = await transact('read', async (context) =>
      (await gather(context, status, isTrial)) === 'others get an event' ? undefined : answer(context),
    );
    if (answered) return answered;
    await transact('append', (context) => comeOnline(context, status));
    return transact('read', answer);
  },
});

/**
 * Gathers the report of a user who is online according to the cache of this process, without a database query. A newer
 * report from another process is merged at the write. Returns false if a query is needed.
 */
function gatherKnown(context: Caller, status: PresenceStatus): boolean {
  const { actor, now, services } = context;
  if (!isPresenceShown(context)) return true;
  const known = services.presenceCache.of(actor.id);
  const again = seenAgain(known, actor.id, status, now);
  if (again?.cameOnline) return false;
  if (again) services.presenceCache.gather(again.seen, now);
  return true;
}

/** Gathers a report to write later, unless the caller came online and the audience is small enough for an event. */
async function gather(
  context: AccountContext,
  status: PresenceStatus,
  isTrial: boolean,
): Promise<'others get an event' | undefined> {
  const { tx, actor, now, services } = context;
  if (!isPresenceShown(context)) return undefined;
  const { presenceCache } = services;
  let again = seenAgain(presenceCache.of(actor.id), actor.id, status, now);
  if (!again) return undefined;
  // Another process may have a newer report.
  await presenceCache.catchUp(tx);
  again = seenAgain(presenceCache.of(actor.id), actor.id, status, now);
  if (!again) return undefined;
  if (again.cameOnline && (await isAudienceSmall(context, actor))) return 'others get an event';
  if (!isTrial) presenceCache.gather(again.seen, now);
  return undefined;
}

/** Writes the report immediately, with the event. Does nothing if another process has just done so. */
async function comeOnline(context: AccountContext, status: PresenceStatus): Promise<void> {
  const { tx, actor, now } = context;
  if (!isPresenceShown(context)) return;
  const stored = await tx.presences.of(actor.id);
  const again = seenAgain(stored, actor.id, status, now);
  if (!again) return;
  const seen = stored ? latestOf(again.seen, stored) : again.seen;
  await tx.presences.record([seen]);
  if (again.cameOnline) await emitPresence(context, actor, seen);
}

type Caller = Pick<AccountContext, 'actor' | 'organization' | 'now' | 'services'>;

function isPresenceShown({ actor, organization }: Pick<Caller, 'actor' | 'organization'>): boolean {
  return actor.settings.presence_enabled !== false && !organizationSetting(organization, 'presence_disabled');
}
