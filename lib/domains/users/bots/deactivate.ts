import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { deactivate } from '../activation.ts';
import { accessBot } from './bot.ts';

export const deactivateBot = defineOperation({
  name: 'bots.deactivate',
  http: 'DELETE /bots/{bot_id}',
  summary: 'Deactivate a bot',
  description: 'For its owner and administrators.',
  example: { bot_id: 12 },
  access: 'user',
  scope: 'login',
  effect: 'write',
  audited: true,
  params: { bot_id: id },
  async run(context, { bot_id }) {
    await deactivate(context, await accessBot(context, bot_id));
  },
});
