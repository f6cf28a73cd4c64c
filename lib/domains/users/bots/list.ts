import * as v from 'valibot';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isGuarded } from '../../../viewer/confirmation.ts';
import { botObject, botView, botWithKeys } from './bot.ts';

export const listBots = defineOperation({
  name: 'bots.list',
  http: 'GET /bots',
  summary: 'List the bots that you own, with their API keys',
  description:
    'Bearer tokens get the bots without keys. So do you for a bot with a role that needs a second factor, above member: call `bots.getApiKey`.',
  access: 'human',
  result: v.object({ bots: v.array(botObject) }),
  async run({ tx, actor, organization, isConfirmed }) {
    const bots = await tx.users.botsOwnedBy(actor.id);
    const isHidden = (bot: User) => !isConfirmed && isGuarded(organization, bot.role);
    return { bots: bots.map((bot) => (isHidden(bot) ? botView : botWithKeys)(bot, organization)) };
  },
});
