import { BadRequest, ChatError, RateLimitHit, SecondFactorNeeded } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { enqueueNotice } from '../passwords.ts';
import { codeText, isBeingSetUp, newRecoveryCodes, recoveryCodes, useAppCode } from './factor.ts';

export const confirmSecondFactor = defineOperation({
  name: 'secondFactor.confirm',
  http: 'POST /users/me/second_factor/confirm',
  summary: 'Turn on your second factor with a code of the app',
  description:
    'From then on, a login with your password needs a code. Logins and API keys that exist keep working. Returns recovery codes for the case that you lose your phone: each works once. The server cannot show them again.',
  example: { code: '492039' },
  access: 'human',
  ownAccount: true,
  scope: 'login',
  effect: 'manual',
  audited: true,
  limitedBy: { rule: 'own-password', password: 'code' },
  params: { code: describe(codeText, 'The code that the app shows now.') },
  result: recoveryCodes,
  errors: [RateLimitHit, SecondFactorNeeded],
  async run({ transact }, { code }) {
    const outcome = await transact('write', async (context) => {
      const { tx, actor, services, now } = context;
      const factor = await tx.secondFactors.of(actor.id);
      if (factor?.is_on) throw new BadRequest('Your second factor is on already.');
      if (!isBeingSetUp(factor, now))
        throw new BadRequest('Begin first (POST /users/me/second_factor). A set-up must end within 10 minutes.');
      const { codes, digests } = newRecoveryCodes();
      const wrong = await useAppCode(context, factor, code, { is_on: true, recovery_digests: digests });
      if (wrong) return wrong;
      enqueueNotice(context, actor, 'Your second factor is on', [
        `logging in to ${services.options.baseUrl} with your password now needs a code of your authenticator app.`,
        'If this was not you, contact an administrator.',
      ]);
      return { recovery_codes: codes };
    });
    if (outcome instanceof ChatError) throw outcome;
    return outcome;
  },
});
