import { defineOperation } from '../../../operation/operation.ts';
import { tokenRemoval } from './tokens.ts';

export const removeApnsToken = defineOperation({
  name: 'push.removeApnsToken',
  http: 'DELETE /users/me/apns_device_token',
  example: { token: 'c0ffee' },
  ...tokenRemoval('apns'),
});
