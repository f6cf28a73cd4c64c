import * as v from 'valibot';
import type { WebhookOptions } from '../../../adapters/webhook-calls.ts';
import { BadRequest } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { apiKey, secret } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { deriveApiKey, deriveWebhookToken } from '../../../rules/credentials.ts';
import { isReachableHost } from '../../../rules/public-addresses.ts';
import { isBot, isOwner } from '../../../rules/roles.ts';
import type { Audience } from '../../../storage/interface/events.ts';
import { administratorIds } from '../../../viewer/audiences.ts';
import type { AccountContext, WriteContext } from '../../../viewer/context.ts';
import { avatarUrl } from '../../../views/avatars.ts';
import { endForbiddenBlocks } from '../../messages/blocking.ts';
import { emitAccountUpdated } from '../accounts/events.ts';

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
        secret(v.string(), 'Sent with each webhook call, to verify the caller. Only together with `api_key`.'),
      ),
    }),
  ),
  api_key: v.optional(apiKey),
});

type BotObject = v.InferOutput<typeof botObject>;

export function botView(bot: User, organization: Organization): BotObject {
  return {
    user_id: bot.id,
    username: bot.delivery_email,
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: present(bot.bot_type),
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
export async function accessBot({ actor, viewer }: AccountContext, id: number): Promise<User> {
  const refusal = () => new BadRequest(`There is no bot with ID ${id}, or you cannot administer it.`);
  const bot = await viewer.administeredAccount(id).catch((error: unknown) => {
    throw error instanceof BadRequest ? refusal() : error;
  });
  if (bot.bot_type === null) throw refusal();
  // The API key of this bot gives the permissions of an organization owner.
  if (isOwner(bot) && !isOwner(actor) && bot.bot_owner_id !== actor.id) throw refusal();
  return bot;
}

export const botCreated = defineEvent('realm_bot/add', {
  summary: 'The reader owns or administers a new bot. Never contains the API key.',
  fields: { bot: botObject },
});

export const botUpdated = defineEvent('realm_bot/update', {
  summary: 'A bot changed. Contains its ID and the changed fields.',
  fields: { bot: v.object({ ...v.partial(botObject).entries, user_id: v.number() }) },
});

export const botHidden = defineEvent('realm_bot/delete', {
  summary: 'The reader can no longer administer a bot.',
  fields: { bot: v.object({ user_id: v.number() }) },
});

/** Sends the event without the API key: events are stored, and keys must not be stored. */
export async function emitBotCreated(context: WriteContext, bot: User): Promise<void> {
  const audience = botAudience(await administratorIds(context), bot);
  context.emit(audience, botCreated({ bot: botView(bot, context.organization) }));
}

export async function emitBotsUpdated(
  context: WriteContext,
  accounts: readonly User[],
  change: Omit<Parameters<typeof botUpdated>[0]['bot'], 'user_id'>,
): Promise<void> {
  const bots = accounts.filter(isBot);
  if (bots.length === 0) return;
  const administrators = await administratorIds(context);
  for (const bot of bots) {
    context.emit(botAudience(administrators, bot), botUpdated({ bot: { user_id: bot.id, ...change } }));
  }
}

function botAudience(administrators: readonly number[], bot: User): Audience {
  const readers = new Set(administrators);
  if (bot.bot_owner_id !== null) readers.add(bot.bot_owner_id);
  return { users: [...readers] };
}

export const GENERIC = 1;
export const INCOMING_WEBHOOK = 2;
/** Per owner. Bots are accounts, and every client loads all accounts at start. */
const MAX_BOTS = 500;

/** Throws unless the actor may create bots of this type. Bots that only send need a lesser permission. */
export async function checkMayCreate(context: AccountContext, bot_type: number): Promise<void> {
  if (bot_type === INCOMING_WEBHOOK && (await context.viewer.may('can_create_write_only_bots_group'))) return;
  await context.viewer.check('can_create_bots_group', 'create bots of this type');
}

export async function checkMayOwnMore({ tx }: AccountContext, owner: number): Promise<void> {
  if ((await tx.users.botsOwnedBy(owner)).length < MAX_BOTS) return;
  throw new BadRequest(`A person can own at most ${MAX_BOTS} bots, including deactivated bots.`);
}

/** The IP address of a host name is checked later, at each call. @param parameter name for the error message */
export function webhookUrl(parameter: string, given: string, { allowPrivateAddresses = false }: WebhookOptions) {
  // Some clients send it as JSON.
  const text = /^".*"$/.test(given) ? given.slice(1, -1) : given;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new BadRequest(`${parameter} must be an http or https URL, for example https://example.com/hook.`);
  }
  if (!isReachableHost(url.hostname, allowPrivateAddresses)) {
    throw new BadRequest(
      `${parameter} must be a public internet address. The operator can allow a private network: chatctl serve --webhook-network, outgoingWebhooks.allowPrivateAddresses.`,
    );
  }
  return url.href;
}

/** Changes the owner of a bot. The previous owner loses access to it, unless they are an administrator. */
export async function giveBot(context: WriteContext, bot: User, owner_id: number): Promise<User> {
  const { tx, emit, organization } = context;
  const changed = await tx.users.update(bot.id, { bot_owner_id: owner_id });
  await endForbiddenBlocks(context, [bot.id]);
  await emitAccountUpdated(context, changed, { bot_owner_id: owner_id });
  const administrators = await administratorIds(context);
  const lost = bot.bot_owner_id;
  if (lost !== null && !administrators.includes(lost)) {
    emit({ users: [lost] }, botHidden({ bot: { user_id: bot.id } }));
  }
  if (!administrators.includes(owner_id)) {
    emit({ users: [owner_id] }, botCreated({ bot: botView(changed, organization) }));
  }
  emit({ users: administrators }, botUpdated({ bot: { user_id: bot.id, owner_id } }));
  return changed;
}
