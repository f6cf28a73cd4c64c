import * as v from 'valibot';
import { defineEvent } from '../kernel/define-event.ts';
import { describe } from '../kernel/schemas.ts';
import type { UserStatus } from '../storage/interface/user-statuses.ts';
import type { User } from '../storage/interface/users.ts';

const fields = {
  away: v.optional(describe(v.boolean(), 'Legacy: whether presence is turned off.')),
  status_text: v.optional(describe(v.string(), 'Empty: the text was removed.')),
  emoji_name: v.optional(describe(v.string(), 'Empty, like emoji_code: the emoji was removed.')),
  emoji_code: v.optional(v.string()),
  reaction_type: v.optional(v.string()),
};

/** A status. Absent parts are not set. */
export const statusObject = v.object(fields);
export type StatusObject = v.InferOutput<typeof statusObject>;

export const userStatusChanged = defineEvent('user_status', {
  summary: 'The status of a user changed, or the reader can see it now. Contains the changed parts.',
  fields: { user_id: describe(v.number(), 'ID of the user.'), ...fields },
});

export const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
/** Sent for a status that is not set or that the reader can no longer see. */
export const NO_STATUS = { status_text: '', ...NO_EMOJI };

/** A status in the API; undefined if it is empty. */
export function statusView(user: Pick<User, 'settings'>, status: UserStatus | undefined): StatusObject | undefined {
  const { status_text, emoji_name, emoji_code, reaction_type } = status ?? NO_STATUS;
  const view: StatusObject = {
    ...(isAway(user) ? { away: true } : {}),
    ...(status_text === '' ? {} : { status_text }),
    ...(emoji_name === '' ? {} : { emoji_name, emoji_code, reaction_type }),
  };
  return Object.keys(view).length === 0 ? undefined : view;
}

export const isAway = ({ settings }: Pick<User, 'settings'>) => settings.presence_enabled === false;
