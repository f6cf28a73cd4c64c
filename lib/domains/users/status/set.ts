import { flag, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { changeStatus, statusParams } from './change.ts';

export const setStatus = defineOperation({
  name: 'userStatus.set',
  http: 'POST /users/me/status',
  summary: 'Set your status: a short text, an emoji, or both',
  description: 'Omitted parts stay unchanged.',
  example: { status_text: 'in a meeting', emoji_name: 'calendar' },
  access: 'human',
  effect: 'write',
  params: {
    ...statusParams,
    away: optional(flag, 'Legacy: turns presence off, like the setting presence_enabled.'),
  },
  async run(context, given) {
    await changeStatus(context, context.actor, given);
  },
});
