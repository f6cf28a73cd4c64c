import * as v from 'valibot';
import { RawJson } from '../../../base/raw-json.ts';
import { describe, optional } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { LastPresence, User } from '../../../model/users.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { seenNoMore } from '../../../rules/presence.ts';
import { isGuest } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/events.ts';
import type { AccountContext, WriteContext } from '../../../viewer/context.ts';
import { apiEmail } from '../../../views/user-view.ts';
import { accountAudience } from '../accounts/events.ts';
import {
  legacyPresence,
  legacyPresenceView,
  type PresenceForm,
  presenceCacheOf,
  slimPresence,
  slimPresenceView,
  websitePresence,
} from './presence-cache.ts';

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
  const { tx, organization, now, services } = context;
  const response = (presences: RawJson<T>, lastId: number) => ({
    presences,
    presence_last_update_id: lastId === 0 ? -1 : lastId,
    server_timestamp: now / 1000,
  });
  if (organizationSetting(organization, 'presence_disabled')) {
    // Returns `afterId` unchanged, so that the client gets the missed changes when presence is enabled again.
    return response(new RawJson<T>(Buffer.from('{}')), afterId);
  }
  const presenceCache = presenceCacheOf(services);
  await presenceCache.catchUp(tx);
  const accounts = await context.accounts();
  const visible = services.options.limitPresence ? await context.viewer.visibleUserIds() : undefined;
  const notBeforeMs = historyDays === undefined ? 0 : now - historyDays * DAY_MS;
  const lastId = presenceCache.latestId;
  return response(presenceCache.json<T>(accounts, { form, notBeforeMs, afterId, visible }), lastId);
}

export interface StoredPresence {
  user_id: number;
  email: string;
  server_timestamp: number;
  presence: { website: v.InferOutput<typeof websitePresence> };
  slim: v.InferOutput<typeof slimPresence>;
}

export const presenceChanged = defineEvent('presence', {
  summary:
    'A user came online. Sent if at most 100 users would get it. Otherwise, clients see the change in the response to their next report.',
  fields: {
    presences: optional(v.record(v.string(), slimPresence), 'By user ID, for clients with simplified_presence_events.'),
    user_id: v.optional(v.number()),
    email: optional(v.string(), 'API e-mail address.'),
    server_timestamp: optional(v.number(), 'UNIX seconds with a fraction.'),
    presence: v.optional(v.object({ website: websitePresence })),
  },
  forClient({ user_id, slim, ...legacy }: StoredPresence, { options }) {
    if (options.client_capabilities.simplified_presence_events) return { presences: { [user_id]: slim } };
    const { email, server_timestamp, presence } = legacy;
    return { user_id, email, server_timestamp, presence };
  },
});

export async function emitPresence(context: WriteContext, user: User, seen: LastPresence): Promise<void> {
  const { organization, now, emit } = context;
  const event = presenceChanged({
    user_id: user.id,
    email: apiEmail(user, organization),
    server_timestamp: now / 1000,
    presence: { website: legacyPresenceView(seen).website },
    slim: slimPresenceView(user, seen),
  });
  emit(await presenceAudience(context, user), event);
}

async function presenceAudience(context: WriteContext, user: User): Promise<Audience> {
  return context.services.options.limitPresence ? accountAudience(context, user) : { scope: 'everyone' };
}

/** In larger audiences, presence changes too often to send an event for each change. */
const MAX_AUDIENCE = 100;

/** Whether the audience is small enough for an event. Needs a read-only transaction. */
export async function isAudienceSmall(context: AccountContext, user: User) {
  const { scope, users = [] } = await presenceAudience(context, user);
  const named = new Set(users);
  let readers = 0;
  for (const account of (await context.accounts()).users.values()) {
    const isReader = scope === 'everyone' || !isGuest(account) || named.has(account.id);
    if (account.is_active && !account.is_system_bot && isReader && ++readers > MAX_AUDIENCE) return false;
  }
  return true;
}

/** Shows a user as online or offline immediately, and deletes their earlier presence. */
export async function showPresence(
  context: WriteContext,
  user: User,
  { isOnline }: { isOnline: boolean },
): Promise<void> {
  const { tx, organization, now } = context;
  const seen = isOnline ? { user_id: user.id, active_ms: now, connected_ms: now } : seenNoMore(user.id, now);
  await tx.presences.replace(seen);
  if (!organizationSetting(organization, 'presence_disabled')) await emitPresence(context, user, seen);
}
