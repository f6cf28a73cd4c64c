import * as v from 'valibot';
import { choice, describe, flag, forPrograms, id, integer, optional } from '../../../base/schemas.ts';
import type { LastPresence } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { latestOf, type PresenceStatus, seenAgain } from '../../../rules/presence.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { emitPresence, HISTORY_DAYS, isAudienceSmall, presences, presencesFor, serverTimestamp } from './presence.ts';
import { presenceCacheOf } from './presence-cache.ts';

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
  params: {
    status: describe(choice(['active', 'idle']), 'active: the user has used this client recently.'),
    ping_only: optional(forPrograms(flag), 'Only report; the response contains no presences.', false),
    new_user_input: optional(forPrograms(flag), 'Whether there was input since the last report. Not stored.', false),
    slim_presence: optional(forPrograms(flag), 'Return presences by user ID, with two times each.', false),
    last_update_id: optional(
      forPrograms(v.pipe(integer, v.minValue(-1, 'must be at least -1'))),
      'Return only changes after this update, in the slim form; -1: all.',
    ),
    history_limit_days: optional(id, 'Only users seen in this many days. Default: 14; with last_update_id: all.'),
  },
  result: v.object({
    presences: v.optional(presences),
    server_timestamp: v.optional(serverTimestamp),
    presence_last_update_id: optional(v.number(), 'ID of the latest update included; -1 if there are no updates.'),
  }),
  async run(context, { status, ping_only, slim_presence, last_update_id, history_limit_days }) {
    const { transact, isDryRun } = context;
    const presenceCache = presenceCacheOf(context.services);
    const gather = ({ seen }: { seen: LastPresence }) => {
      if (!isDryRun) presenceCache.gather(seen, context.now);
    };
    const answer = async (reading: AccountContext) => {
      if (ping_only) return {};
      return presencesFor<v.InferOutput<typeof presences>>(reading, {
        form: slim_presence || last_update_id !== undefined ? 'slim' : 'legacy',
        historyDays: history_limit_days ?? (last_update_id === undefined ? HISTORY_DAYS : undefined),
        afterId: last_update_id ?? -1,
      });
    };
    const answered = await transact('read', async (reading) => {
      const { actor, tx } = reading;
      // Without a query: a newer report of another process is merged at the write.
      const known = newReport(reading, presenceCache.of(actor.id), status);
      if (ping_only && !known?.cameOnline) {
        if (known) gather(known);
        return {};
      }
      await presenceCache.catchUp(tx);
      const report = newReport(reading, presenceCache.of(actor.id), status);
      if (report?.cameOnline && (await isAudienceSmall(reading, actor))) return undefined;
      if (report) gather(report);
      return answer(reading);
    });
    if (answered) return answered;
    await transact('append', (writing) => comeOnline(writing, status));
    return transact('read', answer);
  },
});

type Caller = Pick<AccountContext, 'actor' | 'organization' | 'now'>;

/** Undefined if the report changes nothing, or presence is hidden. */
function newReport({ actor, organization, now }: Caller, known: LastPresence | undefined, status: PresenceStatus) {
  const isHidden = actor.settings.presence_enabled === false || organizationSetting(organization, 'presence_disabled');
  return isHidden ? undefined : seenAgain(known, actor.id, status, now);
}

/** Writes the report immediately, with the event. Does nothing if another process has just done so. */
async function comeOnline(context: AccountContext, status: PresenceStatus): Promise<void> {
  const { tx, actor } = context;
  const stored = await tx.presences.of(actor.id);
  const report = newReport(context, stored, status);
  if (!report) return;
  const seen = stored ? latestOf(report.seen, stored) : report.seen;
  await tx.presences.record([seen]);
  if (report.cameOnline) await emitPresence(context, actor, seen);
}
