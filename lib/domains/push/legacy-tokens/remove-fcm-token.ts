import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty } from '../../../kernel/schemas.ts';
import { removeToken, tokenErrors, tokenParam } from './tokens.ts';

export const removeFcmToken = defineOperation({
  name: 'push.removeFcmToken',
  http: 'DELETE /users/me/android_gcm_reg_id',
  summary: "Take out a device by its token at Google's service",
  description: 'It is told no more of messages.',
  example: { token: 'fcm-token' },
  access: 'human',
  effect: 'manual',
  params: v.object({ token: tokenParam }),
  result: empty,
  errors: tokenErrors,
  async run(context, { token }) {
    await removeToken(context, { kind: 'fcm', token, ios_app_id: null });
    return {};
  },
});
