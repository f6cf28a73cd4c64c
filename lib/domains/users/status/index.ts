import { defineFeature } from '../../../operation/feature.ts';
import { isAway, type StatusObject, statusView, userStatusChanged } from '../../../views/user-view.ts';
import { getStatus } from './get.ts';
import { setStatus } from './set.ts';
import { setStatusFor } from './set-for.ts';

/** Status of a user: a short text, an emoji, or both. */
export const userStatus = defineFeature({
  operations: [setStatus, getStatus, setStatusFor],
  events: [userStatusChanged],
  initialState: {
    /** Statuses by user ID, without users that the reader may not see. */
    user_status: async ({ context }) => {
      const statuses = new Map((await context.tx.userStatuses.all()).map((status) => [status.user_id, status]));
      const visible = await context.viewer.visibleUserIds();
      const shown: Record<string, StatusObject> = {};
      for (const user of (await context.accounts()).users.values()) {
        const status = statuses.get(user.id);
        if ((!status && !isAway(user)) || (visible && !visible.has(user.id))) continue;
        const view = statusView(user, status);
        if (view) shown[user.id] = view;
      }
      return { user_status: shown };
    },
  },
});
