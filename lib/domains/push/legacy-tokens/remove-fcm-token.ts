import { defineOperation } from '../../../operation/operation.ts';
import { tokenRemoval } from './tokens.ts';

export const removeFcmToken = defineOperation({
  name: 'push.removeFcmToken',
  http: 'DELETE /users/me/android_gcm_reg_id',
  example: { token: 'fcm-token' },
  ...tokenRemoval('fcm'),
});
