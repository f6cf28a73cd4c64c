import { defineOperation } from '../../../operation/operation.ts';
import { addToken, tokenAddition, tokenParam } from './tokens.ts';

export const addFcmToken = defineOperation({
  name: 'push.addFcmToken',
  http: 'POST /users/me/android_gcm_reg_id',
  ...tokenAddition('fcm'),
  example: { token: 'fcm-token' },
  params: { token: tokenParam },
  async run(context, { token }) {
    await addToken(context, { kind: 'fcm', token, ios_app_id: null });
  },
});
