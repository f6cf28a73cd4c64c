import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty } from '../../../kernel/schemas.ts';
import { addToken, tokenErrors, tokenParam } from './tokens.ts';

export const addFcmToken = defineOperation({
  name: 'push.addFcmToken',
  http: 'POST /users/me/android_gcm_reg_id',
  summary: "Add a device of a client that does not encrypt, by its token at Google's service",
  description:
    'What is sent to it is not encrypted; clients that can decrypt use push.register. The push relay, where there is one, has been told when this is answered.',
  example: { token: 'fcm-token' },
  access: 'human',
  effect: 'manual',
  params: v.object({ token: tokenParam }),
  result: empty,
  errors: tokenErrors,
  async run(context, { token }) {
    await addToken(context, { kind: 'fcm', token, ios_app_id: null });
    return {};
  },
});
