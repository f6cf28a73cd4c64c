import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { apiKey, choice, describe, nonEmptyText, optional, repeatable, text } from '../../../base/schemas.ts';
import type { BotService } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { creatorId } from '../../../rules/roles.ts';
import { OUTGOING_WEBHOOK, SLACK_INTERFACE, ZULIP_INTERFACE } from '../../messages/outgoing-webhooks/webhook-calls.ts';
import { newBot } from '../account-creation.ts';
import { emitAccountsCreated } from '../accounts/events.ts';
import { checkBotNameIsFree, fullName, isEmailAddress } from '../names.ts';
import {
  botObject,
  botWithKeys,
  checkMayCreate,
  checkMayOwnMore,
  emitBotCreated,
  GENERIC,
  INCOMING_WEBHOOK,
  webhookUrl,
} from './bot.ts';

export const createBot = defineOperation({
  name: 'bots.create',
  http: 'POST /bots',
  summary: 'Create a bot that you own',
  description: 'Requires can_create_bots_group. For incoming-webhook bots, can_create_write_only_bots_group is enough.',
  example: { full_name: 'Build Bot', short_name: 'build' },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: {
    full_name: describe(nonEmptyText(), 'Display name, 2 to 100 characters.'),
    short_name: describe(nonEmptyText(80), 'Becomes the e-mail address: <short_name>-bot@<host>.'),
    bot_type: optional(
      choice([GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK]),
      '1: generic. 2: incoming webhook (can only send messages). 3: outgoing webhook (called for mentions and direct messages).',
      GENERIC,
    ),
    payload_url: optional(text(2_000), 'Outgoing webhooks only: the URL (http or https) to post messages to.'),
    interface_type: optional(
      choice([ZULIP_INTERFACE, SLACK_INTERFACE]),
      'Outgoing webhooks: 1 JSON, 2 Slack.',
      ZULIP_INTERFACE,
    ),
    ...repeatable,
  },
  result: v.object({ ...botObject.entries, api_key: apiKey }),
  async run(context, { full_name, short_name, bot_type, payload_url, interface_type }) {
    const { tx, actor, organization, now } = context;
    await checkMayCreate(context, bot_type);
    const name = fullName(full_name);
    const email = `${short_name.trim().toLowerCase()}-bot@${organization.host}`;
    if (short_name.trim() === '' || !isEmailAddress(email))
      throw new BadRequest(`"${short_name}" cannot be part of an e-mail address.`);
    if (await tx.users.byEmail(email))
      throw new BadRequest(`The address "${email}" is already in use. Choose another short_name.`);
    await checkBotNameIsFree(context, name);
    await checkMayOwnMore(context, actor.id);
    let bot_service: BotService | null = null;
    if (bot_type === OUTGOING_WEBHOOK) {
      if (payload_url === undefined) throw new BadRequest('An outgoing-webhook bot needs a payload_url.');
      const base_url = webhookUrl('payload_url', payload_url, context.services.options.outgoingWebhooks);
      bot_service = { base_url, interface: interface_type };
    }
    const account = { email, full_name: name, now };
    const bot = await tx.users.create(newBot(account, { bot_type, bot_owner_id: creatorId(actor), bot_service }));
    emitAccountsCreated(context, [bot]);
    await emitBotCreated(context, bot);
    return botWithKeys(bot, organization);
  },
});
