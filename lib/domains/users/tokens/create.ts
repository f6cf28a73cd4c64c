import * as v from 'valibot';
import { signLogin } from '../../../access/credentials.ts';
import { between, choice, describe, list, optional, secret } from '../../../base/schemas.ts';
import { defineOperation, SCOPES } from '../../../operation/operation.ts';

const DEFAULT_SECONDS = 3_600;
const MAX_SECONDS = 86_400;

export const createToken = defineOperation({
  name: 'tokens.create',
  http: 'POST /tokens',
  summary: 'Create a token: a login for a limited time',
  description:
    'Send it as "Authorization: Bearer …". It works for pages of other sites too. It gets and creates no secrets that outlive it. It cannot change who can log in. It ends early with `tokens.revoke`, if the account is deactivated, or if its API key is replaced.',
  example: { ttl_seconds: 600 },
  access: 'user',
  ownAccount: true,
  params: {
    ttl_seconds: optional(between(1, MAX_SECONDS), 'Seconds until it expires.', DEFAULT_SECONDS),
    scopes: optional(
      v.pipe(list(choice(SCOPES), SCOPES.length), v.minLength(1, 'must contain read or write')),
      'What it allows: `read`, or `write`, which includes reading. Default: everything.',
    ),
  },
  result: v.object({
    token: secret(v.string(), 'The token. Only this response contains it.'),
    token_id: describe(v.string(), 'Ends the token early, with `tokens.revoke`.'),
    expires_at: describe(v.number(), 'UNIX timestamp in seconds.'),
    user_id: v.number(),
  }),
  async run({ actor, organization, now, services }, { ttl_seconds, scopes = SCOPES }) {
    const expires_at = Math.floor(now / 1000) + ttl_seconds;
    const { id, text } = signLogin(
      {
        kind: 'token',
        secret: organization.secret,
        hostSecrets: services.options.loginSecrets,
        passwordHash: null,
      },
      {
        userId: actor.id,
        keyGeneration: actor.key_generation,
        loginGeneration: actor.login_generation,
        expiresAt: expires_at,
        mayWrite: scopes.includes('write'),
      },
    );
    return { token: text, token_id: id, expires_at, user_id: actor.id };
  },
});
