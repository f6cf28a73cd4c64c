import { BadRequest, ChatError, RateLimitHit, SecondFactorNeeded } from '../../../base/errors.ts';
import { present } from '../../../base/present.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { enqueueNotice } from '../passwords.ts';
import { codeText, newRecoveryCodes, recoveryCodes, useCode } from './factor.ts';

export const renewCodes = defineOperation({
  name: 'secondFactor.renewCodes',
  http: 'POST /users/me/second_factor/recovery_codes',
  summary: 'Replace your recovery codes',
  description: 'The earlier recovery codes stop working. The server cannot show the new ones again.',
  example: { code: '492039' },
  access: 'human',
  ownAccount: true,
  scope: 'login',
  effect: 'manual',
  audited: true,
  limitedBy: { rule: 'own-password', password: 'code' },
  params: { code: describe(codeText, 'Code of the authenticator app, or one of the earlier recovery codes.') },
  result: recoveryCodes,
  errors: [RateLimitHit, SecondFactorNeeded],
  async run({ transact }, { code }) {
    const outcome = await transact('write', async (context) => {
      const { tx, actor, services } = context;
      if (!(await tx.secondFactors.of(actor.id))?.is_on) throw new BadRequest('You have no second factor.');
      const wrong = await useCode(context, actor.id, code);
      if (wrong) return wrong;
      const { codes, digests } = newRecoveryCodes();
      const factor = present(await tx.secondFactors.of(actor.id));
      await tx.secondFactors.put({ ...factor, recovery_digests: digests });
      enqueueNotice(context, actor, 'You have new recovery codes', [
        `the recovery codes of your second factor on ${services.options.baseUrl} were replaced.`,
        'If this was not you, change your password and contact an administrator.',
      ]);
      return { recovery_codes: codes };
    });
    if (outcome instanceof ChatError) throw outcome;
    return outcome;
  },
});
