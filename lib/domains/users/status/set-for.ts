import { BadRequest } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isBot } from '../../../rules/roles.ts';
import { changeStatus, statusParams } from './change.ts';

export const setStatusFor = defineOperation({
  name: 'userStatus.setFor',
  http: 'POST /users/{user_id}/status',
  summary: 'Change or clear the status of a user',
  description: 'Omitted parts stay unchanged. Bots have no status.',
  example: { user_id: 9, status_text: '', emoji_name: '' },
  access: 'administrator',
  effect: 'write',
  params: { user_id: id, ...statusParams },
  async run(context, { user_id, ...given }) {
    const user = present((await context.viewer.activeAccounts([user_id]))[0]);
    if (isBot(user)) throw new BadRequest('Bots have no status.');
    await changeStatus(context, user, given);
  },
});
