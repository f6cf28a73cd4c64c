import * as v from 'valibot';
import { apiKey } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { deriveApiKey } from '../../../rules/credentials.ts';
import { signOutPhones } from '../../push/sign-out-phones.ts';

export const regenerateApiKey = defineOperation({
  name: 'users.regenerateApiKey',
  http: 'POST /users/me/api_key/regenerate',
  summary: 'Replace your API key',
  description:
    'The old key stops working. Your phones get no push notifications until they sign in again. A link that confirms a new e-mail address stops working.',
  access: 'user',
  ownAccount: true,
  effect: 'write',
  audited: true,
  result: v.object({ api_key: apiKey }),
  async run(context) {
    const { tx, actor, organization } = context;
    const user = await tx.users.update(actor.id, { key_generation: actor.key_generation + 1 });
    // A thief of the old key may have requested it.
    await tx.passwordResets.endChanges(actor.id);
    await signOutPhones(context, actor.id);
    return { api_key: deriveApiKey(organization.secret, user.id, user.key_generation) };
  },
});
