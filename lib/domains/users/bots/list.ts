import * as v from 'valibot';
import { deriveApiKey } from '../../../access/api-keys.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { botObject, botView } from './bot.ts';

export const listBots = defineOperation({
  name: 'bots.list',
  http: 'GET /bots',
  summary: 'List the bots that you own, with their API keys',
  access: 'human',
  effect: 'read',
  params: v.object({}),
  result: v.object({ bots: v.array(botObject) }),
  errors: [],
  async run({ tx, actor, organization }) {
    const bots = await tx.users.botsOwnedBy(actor.id);
    return {
      bots: bots.map((bot) => ({
        ...botView(bot, organization),
        api_key: deriveApiKey(organization.secret, bot.id, bot.key_generation),
      })),
    };
  },
});
