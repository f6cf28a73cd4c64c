import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, nonEmptyText, secret } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { MAX_PASSWORD_LENGTH } from '../../../rules/passwords.ts';
import { base32, otpauthUrl } from '../../../rules/totp.ts';
import { passwordMatches, WrongPassword } from '../passwords.ts';
import { newSalt, secretOf } from './factor.ts';

export const beginSecondFactor = defineOperation({
  name: 'secondFactor.begin',
  http: 'POST /users/me/second_factor',
  summary: 'Get the secret for an authenticator app',
  description:
    'Add the secret to an authenticator app, then call `secondFactor.confirm` with its code, within 10 minutes. Until then nothing changes. A second call replaces the secret.',
  example: { password: 'correct horse battery staple' },
  access: 'human',
  ownAccount: true,
  scope: 'login',
  effect: 'manual',
  limitedBy: { rule: 'own-password', password: 'password' },
  params: {
    password: describe(
      nonEmptyText(MAX_PASSWORD_LENGTH),
      'Your password. Without it, a stolen login could lock you out.',
    ),
  },
  result: v.object({
    secret: secret(v.string(), 'In base32, to type into the app.'),
    url: secret(v.string(), 'The same as an `otpauth:` URL, for a QR code.'),
  }),
  async run({ transact }, { password }) {
    const { password_hash } = await transact('read', async ({ actor }) => actor);
    if (password_hash === null) throw new BadRequest('Your account has no password. A second factor is for passwords.');
    if (!(await passwordMatches(password, password_hash))) throw new WrongPassword();
    return transact('write', async ({ tx, actor, organization, now }) => {
      const factor = await tx.secondFactors.of(actor.id);
      if (factor?.is_on) throw new BadRequest('You have a second factor. For a new phone, remove it first.');
      const salt = newSalt();
      await tx.secondFactors.put({
        user_id: actor.id,
        salt,
        is_on: false,
        begun_ms: now,
        last_step: 0,
        recovery_digests: [],
        wrong_codes: 0,
        wrong_ms: 0,
      });
      const secret = base32(secretOf(organization, { salt }));
      return { secret, url: otpauthUrl(secret, { issuer: organization.name, account: actor.delivery_email }) };
    });
  },
});
