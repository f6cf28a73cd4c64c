import * as v from 'valibot';
import { deriveApiKey } from '../../../access/api-keys.ts';
import { isGranted } from '../../../access/membership.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, text } from '../../../kernel/schemas.ts';
import { emitAccountsCreated } from '../accounts/events.ts';
import { fullName, isEmailAddress } from '../names.ts';
import { newBot } from '../new-account.ts';
import { botObject, botView } from './bot.ts';
import { emitBotCreated } from './events.ts';

const GENERIC = 1;
const INCOMING_WEBHOOK = 2;

export const createBot = defineOperation({
  name: 'bots.create',
  http: 'POST /bots',
  summary: 'Create a bot that you own',
  description: 'Needs can_create_bots_group; for incoming-webhook bots can_create_write_only_bots_group is enough.',
  example: { full_name: 'Build Bot', short_name: 'build' },
  access: 'human member',
  effect: 'write',
  audited: true,
  params: v.object({
    full_name: describe(text(), 'Display name, 2 to 100 characters.'),
    short_name: describe(text(80), 'Becomes the address: <short_name>-bot@<host>.'),
    bot_type: v.optional(
      describe(choice([GENERIC, INCOMING_WEBHOOK]), '1 generic, 2 incoming webhook (may only send messages).'),
      GENERIC,
    ),
  }),
  result: v.object({ ...botObject.entries, api_key: v.string() }),
  errors: [BadRequest],
  async run(context, { full_name, short_name, bot_type }) {
    const { tx, actor, organization, now } = context;
    const mayCreateSender =
      bot_type === INCOMING_WEBHOOK && (await isGranted(context, actor, 'can_create_write_only_bots_group'));
    if (!mayCreateSender && !(await isGranted(context, actor, 'can_create_bots_group'))) {
      throw new BadRequest('You are not allowed to create bots of this type.');
    }
    const name = fullName(full_name);
    const email = `${short_name.trim().toLowerCase()}-bot@${organization.host}`;
    if (!isEmailAddress(email)) throw new BadRequest(`"${short_name}" cannot be part of an e-mail address.`);
    if (await tx.users.byEmail(email)) throw new BadRequest(`There is an account with the address "${email}" already.`);
    const bot = await tx.users.create(newBot({ email, full_name: name, bot_type, owner: actor.id, now }));
    emitAccountsCreated(context, [bot]);
    await emitBotCreated(context, bot);
    return { ...botView(bot, organization), api_key: deriveApiKey(organization.secret, bot.id, bot.key_generation) };
  },
});
