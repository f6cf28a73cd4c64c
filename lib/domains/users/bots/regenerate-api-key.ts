import * as v from 'valibot';
import { apiKey, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { deriveApiKey } from '../../../rules/credentials.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import { accessBot } from './bot.ts';

export const regenerateBotApiKey = defineOperation({
  name: 'bots.regenerateApiKey',
  http: 'POST /bots/{bot_id}/api_key/regenerate',
  summary: 'Replace the API key of a bot',
  description: 'For its owner and administrators. The old key stops working immediately.',
  example: { bot_id: 12 },
  access: 'human',
  effect: 'write',
  audited: true,
  mayNeedCode: true,
  params: { bot_id: id, code: confirmationCode },
  result: v.object({ api_key: apiKey }),
  async run(context, { bot_id }) {
    const { tx, organization } = context;
    const bot = await accessBot(context, bot_id);
    await checkConfirmed(context, bot.role);
    const { id: user_id, key_generation } = await tx.users.update(bot.id, { key_generation: bot.key_generation + 1 });
    return { api_key: deriveApiKey(organization.secret, user_id, key_generation) };
  },
});
