import * as v from 'valibot';
import { deriveApiKey } from '../../../access/api-keys.ts';
import { BadRequest, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { id } from '../../../kernel/schemas.ts';
import { accessPersonToSignIn } from '../administered-person.ts';

export const getUserApiKey = defineOperation({
  name: 'users.getApiKey',
  http: 'GET /users/{user_id}/api_key',
  summary: "Get somebody's API key, to hand it out",
  description: 'For administrators; of owners for owners. Who has the key acts as this person.',
  example: { user_id: 9 },
  access: 'administrator',
  effect: 'read',
  audited: true,
  params: v.object({ user_id: id }),
  result: v.object({ api_key: v.string() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  async run(context, { user_id }) {
    const { actor, organization } = context;
    const user = await accessPersonToSignIn(context, actor, user_id);
    if (!user.is_active)
      throw new BadRequest('This account is deactivated: its key would not work. Reactivate it first.');
    return { api_key: deriveApiKey(organization.secret, user.id, user.key_generation) };
  },
});
