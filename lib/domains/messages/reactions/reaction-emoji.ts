import * as v from 'valibot';
import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { emojiByName, namesOfCode } from '../../../markdown/emoji-names.ts';
import type { Reaction } from '../../../storage/interface/reactions.ts';

export const reactionType = v.picklist(['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']);

/** The emoji of a reaction: type and code identify it, the name is for display. */
export type ReactionEmoji = Pick<Reaction, 'reaction_type' | 'emoji_code' | 'emoji_name'>;

/** The only emoji that is neither Unicode nor a custom emoji. */
const EXTRA = 'zulip';

/** Finds an emoji by name: first custom emoji, then the extra emoji, then Unicode. */
export async function emojiNamed({ tx }: ReadContext, name: string): Promise<ReactionEmoji | undefined> {
  const custom = await tx.customEmoji.byName(name);
  if (custom) return { reaction_type: 'realm_emoji', emoji_code: String(custom.id), emoji_name: name };
  if (name === EXTRA) return { reaction_type: 'zulip_extra_emoji', emoji_code: EXTRA, emoji_name: name };
  const code = emojiByName(name);
  return code === undefined ? undefined : { reaction_type: 'unicode_emoji', emoji_code: code, emoji_name: name };
}

/** The emoji of a request. Looks up omitted fields by name. */
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

/** Throws if name, code and type do not match, or if the emoji is deactivated. */
export async function checkEmoji(
  { tx }: ReadContext,
  { reaction_type, emoji_code, emoji_name }: ReactionEmoji,
): Promise<void> {
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
