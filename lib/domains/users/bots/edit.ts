import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { BadRequest, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { choice, id, nonEmptyText, optional, text, type ValuesOf } from '../../../base/schemas.ts';
import type { BotService, User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isBot, isGuest } from '../../../rules/roles.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { apiEmail } from '../../../views/user-view.ts';
import { SLACK_INTERFACE, ZULIP_INTERFACE } from '../../messages/outgoing-webhooks/webhook-calls.ts';
import { deactivate, reactivate } from '../activation.ts';
import { fullName } from '../names.ts';
import { changeUser, userChangeParams } from '../user-change.ts';
import {
  accessBot,
  botObject,
  botView,
  checkMayCreate,
  checkMayOwnMore,
  emitBotsUpdated,
  giveBot,
  webhookUrl,
} from './bot.ts';

const serviceParams = {
  service_payload_url: optional(text(2_000), 'Outgoing webhooks only: the URL (http or https) to post messages to.'),
  service_interface: optional(choice([ZULIP_INTERFACE, SLACK_INTERFACE]), 'Outgoing webhooks: 1 JSON, 2 Slack.'),
};

function planService(
  { services }: AccountContext,
  { bot_service }: User,
  { service_payload_url, service_interface }: ValuesOf<typeof serviceParams>,
): BotService | undefined {
  if (service_payload_url === undefined && service_interface === undefined) return undefined;
  if (bot_service === null)
    throw new BadRequest('service_payload_url and service_interface can only be set for outgoing-webhook bots.');
  const base_url =
    service_payload_url === undefined
      ? bot_service.base_url
      : webhookUrl('service_payload_url', service_payload_url, services.options.outgoingWebhooks);
  const service = { base_url, interface: service_interface ?? bot_service.interface };
  return isDeepStrictEqual(service, bot_service) ? undefined : service;
}

export const editBot = defineOperation({
  name: 'bots.edit',
  http: 'PATCH /bots/{bot_id}',
  summary: 'Change the name, role, owner, webhook or activation of a bot',
  description: 'For its owner and administrators. All changes are applied, or none. The API key stays the same.',
  example: { bot_id: 12, service_payload_url: 'https://example.com/ask' },
  access: 'human',
  effect: 'write',
  audited: true,
  mayNeedCode: true,
  // The next owner can read the key, and the address gets the web hook token.
  scope: { loginFor: ['role', 'bot_owner_id', 'service_payload_url', 'is_active'] },
  params: {
    bot_id: id,
    full_name: optional(nonEmptyText(), 'Display name, 2 to 100 characters.'),
    role: optional(userChangeParams.role.wrapped, 'Administrators only. Only owners can change the owner role.'),
    bot_owner_id: optional(id, 'New owner: an active person who is not a guest.'),
    ...serviceParams,
    is_active: optional(v.boolean(), 'Reactivating requires the permission to create bots of its type.'),
    code: confirmationCode,
  },
  result: v.object({
    ...botObject.entries,
    bot_owner: optional(v.string(), 'API e-mail address of the owner.'),
    service_payload_url: v.nullable(v.string()),
    service_interface: v.number(),
    config_data: v.nullable(v.record(v.string(), v.string())),
  }),
  errors: [UnauthorizedPrincipal],
  async run(context, { bot_id, full_name, role, bot_owner_id, is_active, code: _, ...wanted }) {
    const { tx, organization } = context;
    const bot = await accessBot(context, bot_id);
    await changeUser(context, bot, { full_name: full_name === undefined ? undefined : fullName(full_name), role });
    let changed = present(await tx.users.byId(bot.id));
    const service = planService(context, bot, wanted);
    if (service) {
      changed = await tx.users.update(bot.id, { bot_service: service });
      await emitBotsUpdated(context, [changed], { services: [service] });
    }
    // The next owner can read the API key.
    if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id)
      changed = await changeBotOwner(context, changed, bot_owner_id);
    if (is_active && !bot.is_active) {
      await checkMayCreate(context, present(bot.bot_type));
      await reactivate(context, changed);
    }
    if (is_active === false) await deactivate(context, changed);
    const owner = changed.bot_owner_id === null ? undefined : await tx.users.byId(changed.bot_owner_id);
    return {
      ...botView({ ...changed, is_active: is_active ?? changed.is_active }, organization),
      ...(owner ? { bot_owner: apiEmail(owner, organization) } : {}),
      service_payload_url: changed.bot_service?.base_url ?? null,
      service_interface: changed.bot_service?.interface ?? ZULIP_INTERFACE,
      config_data: null,
    };
  },
});

/** The new owner can act with the role of the bot. */
async function changeBotOwner(context: AccountContext, bot: User, owner_id: number): Promise<User> {
  await checkConfirmed(context, bot.role);
  const owner = present((await context.viewer.activeAccounts([owner_id]))[0]);
  if (isBot(owner)) throw new BadRequest('A bot cannot own a bot.');
  if (isGuest(owner)) throw new BadRequest('A guest cannot own a bot.');
  await checkMayOwnMore(context, owner_id);
  return giveBot(context, bot, owner_id);
}
