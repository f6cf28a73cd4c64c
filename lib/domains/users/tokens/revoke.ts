import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { optional, text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { expiryOf } from '../../../rules/credentials.ts';
import { TOKEN_LOGIN } from '../../../viewer/context.ts';

/** IDs that an account keeps. More at a time end all its logins, which needs none. */
const MAX_ENDED = 100;
/** The longest time of a token or a login. */
const MAX_SECONDS = 30 * 86_400;

export const revokeToken = defineOperation({
  name: 'tokens.revoke',
  http: 'DELETE /tokens',
  summary: 'End a token, or all tokens and browser logins',
  description:
    'Without `token_id`, it ends all tokens of your account, and logs out all browsers. Their push notifications end too. API keys continue to work. The same happens if more than 100 tokens that have not expired are ended one by one.',
  example: {},
  access: 'user',
  ownAccount: true,
  scope: 'login',
  effect: 'write',
  audited: true,
  params: {
    token_id: optional(text(30), 'The `token_id` from `tokens.create`. Default: all.'),
  },
  result: v.object({}),
  errors: [BadRequest],
  async run({ tx, actor, now }, { token_id }) {
    const seconds = Math.floor(now / 1000);
    const known = Object.entries(actor.ended_logins ?? {}).filter(([, expiresAt]) => expiresAt > seconds);
    const ended = new Map(known);
    if (token_id !== undefined) {
      const expiresAt = expiryOf(token_id);
      if (expiresAt === undefined || expiresAt > seconds + MAX_SECONDS) {
        throw new BadRequest('token_id is not the ID of a token. Pass the one that came with the token.');
      }
      if (expiresAt <= seconds || ended.has(token_id)) return {};
      ended.set(token_id, expiresAt);
      // Those of all tokens: the page may have a newer token than the one that added its browser.
      await tx.pushBrowsers.removeOfLogins(actor.id, [token_id, TOKEN_LOGIN]);
    }
    const endsAll = token_id === undefined || ended.size > MAX_ENDED;
    await tx.users.update(actor.id, {
      ended_logins: endsAll ? null : Object.fromEntries(ended),
      login_generation: actor.login_generation + (endsAll ? 1 : 0),
    });
    return {};
  },
});
