import * as v from 'valibot';
import { describe } from '../base/schemas.ts';
import type { Organization } from '../model/organization.ts';
import type { LastPresence, User } from '../model/users.ts';
import { type PresenceStatus, statusOf } from '../rules/presence.ts';
import { apiEmail } from './user-view.ts';

/** Keyed by API e-mail address with a status, or by user ID with two times. */
export type PresenceForm = 'legacy' | 'slim';

const status = v.picklist(['active', 'idle']);
const clientPresence = v.object({
  client: v.literal('website'),
  status: describe(status, 'Status in the last report. A user without a report for 200 seconds is offline.'),
  timestamp: describe(v.number(), 'Time of the last report; UNIX seconds.'),
});

/** All clients are combined into one, `website`. */
export const websitePresence = v.object({ ...clientPresence.entries, pushable: v.literal(false) });

export const legacyPresence = v.object({ aggregated: clientPresence, website: websitePresence });

export const slimPresence = v.object({
  active_timestamp: describe(v.number(), 'Time of the last report with the status active; UNIX seconds.'),
  idle_timestamp: describe(v.number(), 'Time of the last report; UNIX seconds.'),
});

const seconds = (ms: number) => Math.floor(ms / 1000);

/** The status in the last report, and its time in milliseconds. */
export function reportOf(seen: LastPresence): { status: PresenceStatus; atMs: number } {
  const status = statusOf(seen);
  return { status, atMs: status === 'active' && seen.active_ms !== null ? seen.active_ms : seen.connected_ms };
}

export function presenceEntry(
  form: PresenceForm,
  user: User,
  seen: LastPresence,
  organization: Organization,
): [key: string, entry: v.InferOutput<typeof legacyPresence> | v.InferOutput<typeof slimPresence>] {
  return form === 'slim'
    ? [String(user.id), slimPresenceView(user, seen)]
    : [apiEmail(user, organization), legacyPresenceView(seen)];
}

/** A user who was never active counts as active at the time they joined. */
export function slimPresenceView(user: User, seen: LastPresence): v.InferOutput<typeof slimPresence> {
  return {
    active_timestamp: seconds(seen.active_ms ?? user.joined_ms),
    idle_timestamp: seconds(seen.connected_ms),
  };
}

export function legacyPresenceView(seen: LastPresence): v.InferOutput<typeof legacyPresence> {
  const { status, atMs } = reportOf(seen);
  const aggregated = { client: 'website', status, timestamp: seconds(atMs) } as const;
  return { aggregated, website: { ...aggregated, pushable: false } };
}
