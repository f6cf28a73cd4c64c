import * as v from 'valibot';
import { apiKey, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { deriveApiKey } from '../../../rules/credentials.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import { accessBot } from './bot.ts';

export const getBotApiKey = defineOperation({
  name: 'bots.getApiKey',
  http: 'GET /bots/{bot_id}/api_key',
  summary: 'Get the API key of a bot',
  description: 'For its owner and administrators.',
  example: { bot_id: 12 },
  access: 'human',
  audited: true,
  mayNeedCode: true,
  params: { bot_id: id, code: confirmationCode },
  result: v.object({ api_key: apiKey }),
  async run(context, { bot_id }) {
    const bot = await accessBot(context, bot_id);
    await checkConfirmed(context, bot.role);
    return { api_key: deriveApiKey(context.organization.secret, bot.id, bot.key_generation) };
  },
});
