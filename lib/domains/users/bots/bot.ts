import * as v from 'valibot';
import { avatarUrl } from '../../../access/avatars.ts';
import { accessAdministeredUser } from '../../../access/users.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { isOwner } from '../../../rules/roles.ts';
import type { Organization } from '../../../storage/interface/organization.ts';
import type { User } from '../../../storage/interface/users.ts';

/** A bot as its owner and administrators see it. */
export const botObject = v.object({
  user_id: v.number(),
  username: v.string(),
  email: v.string(),
  full_name: v.string(),
  bot_type: v.number(),
  owner_id: v.nullable(v.number()),
  is_active: v.boolean(),
  avatar_url: v.string(),
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
  services: v.array(v.unknown()),
  api_key: v.optional(v.string()),
});

export type BotObject = v.InferOutput<typeof botObject>;

export function botView(bot: User, organization: Organization): BotObject {
  return {
    user_id: bot.id,
    username: bot.delivery_email,
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: bot.bot_type as number,
    owner_id: bot.bot_owner_id,
    is_active: bot.is_active,
    avatar_url: avatarUrl(bot, organization),
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    services: [],
  };
}

/**
 * The bot with this id, for its owner and administrators; one that owns the organization only for other owners of
 * it. For others, and where the id is none of a bot,
 * the error is the same.
 */
export async function accessBot(context: ReadContext, actor: User, id: number): Promise<User> {
  const refusal = () => new BadRequest(`There is no bot with ID ${id} that you can administer.`);
  const bot = await accessAdministeredUser(context, actor, id).catch((error: unknown) => {
    throw error instanceof BadRequest ? refusal() : error;
  });
  if (bot.bot_type === null) throw refusal();
  // Whoever has its key is an owner.
  if (isOwner(bot) && !isOwner(actor) && bot.bot_owner_id !== actor.id) throw refusal();
  return bot;
}
