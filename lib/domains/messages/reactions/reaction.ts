import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineEvent, type EventClient, type RoomView } from '../../../events/define-event.ts';
import { emojiByName, namesOfCode } from '../../../markdown/inline/emoji.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import type { Reaction } from '../../../storage/interface/messages.ts';
import type { ReadContext } from '../../../viewer/context.ts';
import { isRestricted } from '../../../viewer/viewer.ts';
import { apiEmail, placeholderEmail, UNKNOWN_NAME } from '../../../views/user-view.ts';

export const reactionType = v.picklist(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']);

/** The emoji of a reaction: type and code identify it, the name is for display. */
type ReactionEmoji = Pick<Reaction, 'reaction_type' | 'emoji_code' | 'emoji_name'>;

const EXTRA = 'zulip';

export async function emojiNamed({ tx }: ReadContext, name: string): Promise<ReactionEmoji | undefined> {
  const custom = await tx.customEmoji.byName(name);
  if (custom) return { reaction_type: 'realm_emoji', emoji_code: String(custom.id), emoji_name: name };
  if (name === EXTRA) return { reaction_type: 'zulip_extra_emoji', emoji_code: EXTRA, emoji_name: name };
  const code = emojiByName(name);
  return code === undefined ? undefined : { reaction_type: 'unicode_emoji', emoji_code: code, emoji_name: name };
}

export async function emojiGiven(
  context: ReadContext,
  given: { emoji_name: string; emoji_code?: string | undefined; reaction_type?: string | undefined },
): Promise<ReactionEmoji> {
  const { emoji_name } = given;
  let { emoji_code, reaction_type } = given;
  if (emoji_code === undefined || reaction_type === undefined) {
    const named = await emojiNamed(context, emoji_name);
    if (!named) throw new BadRequest(`There is no emoji named "${emoji_name}".`);
    emoji_code ??= named.emoji_code;
    reaction_type ??= named.reaction_type;
  }
  if (!v.is(reactionType, reaction_type)) throw new BadRequest(`"${reaction_type}" is not a valid reaction_type.`);
  return { emoji_name, emoji_code: canonicalCode(reaction_type, emoji_code), reaction_type };
}

/** Removes leading zeros from the ID of a custom emoji, because reactions compare the code as a string. */
export function canonicalCode(reactionType: string, code: string): string {
  return reactionType === 'realm_emoji' && /^0\d{1,15}$/.test(code) ? String(Number(code)) : code;
}

export async function checkEmoji({ tx }: ReadContext, { reaction_type, emoji_code, emoji_name }: ReactionEmoji) {
  const refusal = () => new BadRequest(`The emoji name "${emoji_name}" does not match the emoji code "${emoji_code}".`);
  if (reaction_type === 'realm_emoji') {
    const id = /^\d{1,15}$/.test(emoji_code) ? Number(emoji_code) : undefined;
    const custom = id === undefined ? undefined : await tx.customEmoji.byId(id);
    if (!custom || custom.name !== emoji_name) throw refusal();
    if (custom.deactivated) throw new BadRequest(`The emoji "${emoji_name}" has been deactivated.`);
  } else if (reaction_type === 'zulip_extra_emoji') {
    if (emoji_code !== EXTRA || emoji_name !== EXTRA) throw refusal();
  } else {
    const names = namesOfCode(emoji_code);
    if (names.length === 0) throw new BadRequest(`There is no emoji with the code "${emoji_code}".`);
    if (!names.includes(emoji_name)) throw refusal();
  }
}

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
  inRooms: isOfRoom,
  forClient,
});

export const reactionRemoved = defineEvent('reaction/remove', {
  summary: 'A reaction was removed from a message.',
  fields,
  inRooms: isOfRoom,
  forClient,
});

export function reactorOf(user: User, organization: Organization): ReactionView['user'] {
  return { user_id: user.id, email: apiEmail(user, organization), full_name: user.full_name };
}

/** A channel with shared history sends it to all subscribers. */
function isOfRoom(_: Stored, { channels, channel }: RoomView): boolean {
  return channel !== undefined && channels.has(channel);
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
