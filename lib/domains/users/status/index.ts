import { isAway, type StatusObject, statusView, userStatusChanged } from '../../../access/user-status.ts';
import { visibleUserIds } from '../../../access/users.ts';
import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { getStatus } from './get.ts';
import { setStatus } from './set.ts';
import { setStatusFor } from './set-for.ts';

/** By user id; whoever has no status is left out, and so is whom the reader may not see. */
async function statusState({ context }: Snapshot): Promise<{ user_status: Record<string, StatusObject> }> {
  const statuses = new Map((await context.tx.userStatuses.all()).map((status) => [status.user_id, status]));
  const visible = await visibleUserIds(context, context.actor);
  const shown: Record<string, StatusObject> = {};
  for (const user of (await context.accounts()).users.values()) {
    const status = statuses.get(user.id);
    if ((!status && !isAway(user)) || (visible && !visible.has(user.id))) continue;
    const view = statusView(user, status);
    if (view) shown[user.id] = view;
  }
  return { user_status: shown };
}

/** What people let others know of what they are doing, in a few words and an emoji. */
export const userStatus = defineFeature({
  operations: [setStatus, getStatus, setStatusFor],
  events: [userStatusChanged],
  initialState: { user_status: statusState },
});
