import * as v from 'valibot';
import { apiEmail, placeholderEmail, UNKNOWN_NAME } from '../../../access/user-view.ts';
import { isRestricted } from '../../../access/users.ts';
import { defineEvent, type EventClient } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { User } from '../../../storage/interface/users.ts';
import { reactionType } from './reaction-emoji.ts';

const reactor = v.object({ user_id: v.number(), email: v.string(), full_name: v.string() });

const fields = {
  message_id: v.number(),
  user_id: describe(v.number(), 'User who reacted.'),
  user: describe(reactor, 'The same user, for clients that do not read `user_id`. Some guests get a placeholder name.'),
  emoji_name: v.string(),
  emoji_code: describe(v.string(), 'ID of the emoji within its `reaction_type`.'),
  reaction_type: reactionType,
};

type ReactionView = v.InferOutput<v.ObjectSchema<typeof fields, undefined>>;
/** Old events in the log may have no `user`. */
type Stored = Omit<ReactionView, 'user'> & Partial<Pick<ReactionView, 'user'>>;

export const reactionAdded = defineEvent('reaction/add', {
  summary: 'A user added a reaction to a message.',
  fields,
  forClient,
});

export const reactionRemoved = defineEvent('reaction/remove', {
  summary: 'A reaction was removed from a message.',
  fields,
  forClient,
});

export function reactorOf(user: User, organization: Organization): ReactionView['user'] {
  return { user_id: user.id, email: apiEmail(user, organization), full_name: user.full_name };
}

/**
 * Restricted guests cannot see every user. Delivery does not know which users they can see, so it hides the name in
 * `user` from them. Clients show the name from `user_id` instead.
 */
function forClient(event: Stored, { reader, organization }: EventClient): ReactionView {
  const { user_id, user } = event;
  if (user && (reader.id === user_id || !isRestricted(reader, organization))) return { ...event, user };
  const unknown = { user_id, email: placeholderEmail(user_id, organization), full_name: UNKNOWN_NAME };
  return { ...event, user: unknown };
}
