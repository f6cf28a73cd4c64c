import * as v from 'valibot';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty } from '../../../kernel/schemas.ts';
import { removeToken, tokenErrors, tokenParam } from './tokens.ts';

export const removeApnsToken = defineOperation({
  name: 'push.removeApnsToken',
  http: 'DELETE /users/me/apns_device_token',
  summary: "Take out a device by its token at Apple's service",
  description: 'It is told no more of messages.',
  example: { token: 'c0ffee' },
  access: 'human',
  effect: 'manual',
  params: v.object({ token: tokenParam }),
  result: empty,
  errors: tokenErrors,
  async run(context, { token }) {
    await removeToken(context, { kind: 'apns', token, ios_app_id: null });
    return {};
  },
});
