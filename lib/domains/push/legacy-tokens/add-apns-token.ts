import * as v from 'valibot';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, text } from '../../../kernel/schemas.ts';
import { addToken, tokenErrors, tokenParam } from './tokens.ts';

/** Characters; Apple's limit is less. */
const MAX_APP_ID = 255;

export const addApnsToken = defineOperation({
  name: 'push.addApnsToken',
  http: 'POST /users/me/apns_device_token',
  summary: "Add a device of a client that does not encrypt, by its token at Apple's service",
  description:
    'What is sent to it is not encrypted; clients that can decrypt use push.register. The push relay, where there is one, has been told when this is answered.',
  example: { appid: 'com.example.chat', token: 'c0ffee' },
  access: 'human',
  effect: 'manual',
  params: v.object({
    appid: describe(text(MAX_APP_ID), 'ID of the app: letters, digits, dots and hyphens.'),
    token: tokenParam,
  }),
  result: empty,
  errors: tokenErrors,
  async run(context, { appid, token }) {
    if (!/^[A-Za-z0-9.-]+$/.test(appid))
      throw new BadRequest('The ID of an app has letters, digits, dots and hyphens.');
    await addToken(context, { kind: 'apns', token, ios_app_id: appid });
    return {};
  },
});
