import { BadRequest } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { addToken, tokenAddition, tokenParam } from './tokens.ts';

/** In characters. Apple's limit is lower. */
const MAX_APP_ID = 255;

export const addApnsToken = defineOperation({
  name: 'push.addApnsToken',
  http: 'POST /users/me/apns_device_token',
  ...tokenAddition('apns'),
  example: { appid: 'com.example.chat', token: 'c0ffee' },
  params: {
    appid: describe(nonEmptyText(MAX_APP_ID), 'ID of the app: letters, digits, dots and hyphens.'),
    token: tokenParam,
  },
  async run(context, { appid, token }) {
    if (!/^[A-Za-z0-9.-]+$/.test(appid))
      throw new BadRequest('appid can contain only letters, digits, dots and hyphens.');
    await addToken(context, { kind: 'apns', token, ios_app_id: appid });
  },
});
