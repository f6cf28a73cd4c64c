import * as v from 'valibot';
import { legacyPresence, type PresenceForm, slimPresence } from '../../../access/presence-view.ts';
import { visibleUserIds } from '../../../access/users.ts';
import type { AccountContext } from '../../../kernel/context.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { describe } from '../../../kernel/schemas.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';

const DAY_MS = 86_400_000;
/** Whoever reported nothing for longer is left out, unless a client asks otherwise. */
export const HISTORY_DAYS = 14;

export const legacyPresences = describe(v.record(v.string(), legacyPresence), 'By API address.');
export const presences = describe(
  v.union([v.record(v.string(), legacyPresence), v.record(v.string(), slimPresence)]),
  'By API address with the status, or in the slim form by user ID with two times.',
);

/** For answers that say when they were made: UNIX seconds with a fraction. */
export const serverTimestamp = describe(v.number(), 'UNIX seconds, of this answer.');

interface Wanted {
  form: PresenceForm;
  /** Undefined: however long ago. */
  historyDays: number | undefined;
  /** -1: everything. */
  afterId: number;
}

/**
 * Presences that the caller may see, newer than the update they know, and the update that they know with these.
 * In a transaction that only reads.
 */
export async function presencesFor<T>(context: AccountContext, { form, historyDays, afterId }: Wanted) {
  const { tx, actor, organization, now, services } = context;
  if (organizationSetting(organization, 'presence_disabled')) {
    // What the client does not know yet it is told once presence is shown again.
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
