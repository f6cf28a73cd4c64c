import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { apiKey, id } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { deriveApiKey } from '../../../rules/credentials.ts';
import { confirmationCode } from '../../../viewer/confirmation.ts';
import { accessPersonToAdmit } from '../passwords.ts';

export const getUserApiKey = defineOperation({
  name: 'users.getApiKey',
  http: 'GET /users/{user_id}/api_key',
  summary: 'Get the API key of another user',
  description: 'Administrators only; owners only, if the user is an owner. Anyone with the key can act as the user.',
  example: { user_id: 9 },
  access: 'administrator',
  audited: true,
  mayNeedCode: true,
  params: { user_id: id, code: confirmationCode },
  result: v.object({ api_key: apiKey }),
  async run(context, { user_id }) {
    const { organization } = context;
    const user = await accessPersonToAdmit(context, user_id);
    if (!user.is_active)
      throw new BadRequest('This account is deactivated, so its API key does not work. Reactivate it first.');
    return { api_key: deriveApiKey(organization.secret, user.id, user.key_generation) };
  },
});
