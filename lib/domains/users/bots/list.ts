import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { botObject, botWithKeys } from './bot.ts';

export const listBots = defineOperation({
  name: 'bots.list',
  http: 'GET /bots',
  summary: 'List the bots that you own, with their API keys',
  description: 'Bearer tokens get the bots without keys.',
  access: 'human',
  result: v.object({ bots: v.array(botObject) }),
  async run({ tx, actor, organization }) {
    const bots = await tx.users.botsOwnedBy(actor.id);
    return { bots: bots.map((bot) => botWithKeys(bot, organization)) };
  },
});
