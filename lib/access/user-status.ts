import * as v from 'valibot';
import { defineEvent } from '../kernel/define-event.ts';
import { describe } from '../kernel/schemas.ts';
import type { UserStatus } from '../storage/interface/user-statuses.ts';
import type { User } from '../storage/interface/users.ts';

const fields = {
  away: v.optional(describe(v.boolean(), 'Legacy: whether presence is switched off.')),
  status_text: v.optional(describe(v.string(), 'Empty: none any more.')),
  emoji_name: v.optional(describe(v.string(), 'Empty, as the code then is: none any more.')),
  emoji_code: v.optional(v.string()),
  reaction_type: v.optional(v.string()),
};

/** What a status holds; what is absent is not there. */
export const statusObject = v.object(fields);
export type StatusObject = v.InferOutput<typeof statusObject>;

export const userStatusChanged = defineEvent('user_status', {
  summary: "Somebody's status is another, or the reader may see it now: what is new of it.",
  fields: { user_id: describe(v.number(), 'Whose status it is.'), ...fields },
});

export const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
/** What is told of a status that is not there, or that the reader sees no more. */
export const NO_STATUS = { status_text: '', ...NO_EMOJI };

/** A status as it is shown; undefined where there is nothing to show. */
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
