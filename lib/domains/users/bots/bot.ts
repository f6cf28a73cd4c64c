import * as v from 'valibot';
import { deriveApiKey, deriveWebhookToken } from '../../../access/api-keys.ts';
import { avatarUrl } from '../../../access/avatars.ts';
import { accessAdministeredUser } from '../../../access/users.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { describe } from '../../../kernel/schemas.ts';
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
  services: v.array(
    v.object({
      base_url: v.string(),
      interface: v.number(),
      token: v.optional(
        describe(
          v.string(),
          'Sent with each webhook call, so that the receiver can verify the caller. Present only together with `api_key`.',
        ),
      ),
    }),
  ),
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
    services: bot.bot_service ? [{ ...bot.bot_service }] : [],
  };
}

/** Like botView(), with the API key and webhook token. Only for users who may have them. */
export function botWithKeys(bot: User, organization: Organization): BotObject & { api_key: string } {
  const view = botView(bot, organization);
  return {
    ...view,
    services: view.services.map((service) => ({ ...service, token: deriveWebhookToken(organization.secret, bot) })),
    api_key: deriveApiKey(organization.secret, bot.id, bot.key_generation),
  };
}

/**
 * The bot with this ID, for its owner and administrators. A bot with the owner role is only for its owner and for
 * organization owners. The error is the same for all other callers and for IDs that are not bots.
 */
export async function accessBot(context: ReadContext, actor: User, id: number): Promise<User> {
  const refusal = () => new BadRequest(`There is no bot with ID ${id}, or you cannot administer it.`);
  const bot = await accessAdministeredUser(context, actor, id).catch((error: unknown) => {
    throw error instanceof BadRequest ? refusal() : error;
  });
  if (bot.bot_type === null) throw refusal();
  // The API key of this bot gives the permissions of an organization owner.
  if (isOwner(bot) && !isOwner(actor) && bot.bot_owner_id !== actor.id) throw refusal();
  return bot;
}
