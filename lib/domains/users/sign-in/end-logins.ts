import { id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { endLoginsOf } from '../logins.ts';
import { accessPersonToSignIn } from '../passwords.ts';

export const endLogins = defineOperation({
  name: 'users.endLogins',
  http: 'POST /users/{user_id}/end_logins',
  summary: 'End all logins of another user',
  description:
    'Administrators only; owners only, if the user is an owner. Signs out all browsers, apps and phones, and ends all tokens. Replaces the API key. A pending change of the e-mail address ends. The password stays.',
  example: { user_id: 9 },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: { user_id: id },
  async run(context, { user_id }) {
    await endLoginsOf(context, await accessPersonToSignIn(context, user_id));
  },
});
