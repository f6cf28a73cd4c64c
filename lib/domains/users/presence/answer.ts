import * as v from 'valibot';
import { legacyPresence, type PresenceForm, slimPresence } from '../../../access/presence-view.ts';
import { visibleUserIds } from '../../../access/users.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { describe } from '../../../kernel/schemas.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';

const DAY_MS = 86_400_000;
/** By default, responses omit users whose last report is older. */
export const HISTORY_DAYS = 14;

export const legacyPresences = describe(v.record(v.string(), legacyPresence), 'By API e-mail address.');
export const presences = describe(
  v.union([v.record(v.string(), legacyPresence), v.record(v.string(), slimPresence)]),
  'By API e-mail address, with the status. In the slim form: by user ID, with two times.',
);

export const serverTimestamp = describe(v.number(), 'Time of this response; UNIX seconds with a fraction.');

interface PresenceRequest {
  form: PresenceForm;
  /** Undefined: no limit. */
  historyDays: number | undefined;
  /** -1: all. */
  afterId: number;
}

/**
 * The presences that the caller may see and that changed after the update `afterId`, and the ID of the latest update.
 * Needs a read-only transaction.
 */
export async function presencesFor<T>(context: AccountContext, { form, historyDays, afterId }: PresenceRequest) {
  const { tx, actor, organization, now, services } = context;
  if (organizationSetting(organization, 'presence_disabled')) {
    // Returns `afterId` unchanged, so that the client gets the missed changes when presence is enabled again.
    return { presences: new RawJson<T>(Buffer.from('{}')), lastUpdateId: afterId };
  }
  await services.presenceCache.catchUp(tx);
  const accounts = await context.accounts();
  const visible = services.options.limitPresence ? await visibleUserIds(context, actor) : undefined;
  const notBeforeMs = historyDays === undefined ? 0 : now - historyDays * DAY_MS;
  const lastUpdateId = services.presenceCache.latestId;
  const presences = services.presenceList.json<T>(accounts, { form, notBeforeMs, afterId, visible });
  return { presences, lastUpdateId };
}
