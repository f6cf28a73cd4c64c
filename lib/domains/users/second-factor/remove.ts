import { BadRequest, RateLimitHit, SecondFactorNeeded } from '../../../base/errors.ts';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { enqueueNotice } from '../passwords.ts';
import { codeText, useCode } from './factor.ts';

export const removeSecondFactor = defineOperation({
  name: 'secondFactor.remove',
  http: 'DELETE /users/me/second_factor',
  summary: 'Turn off your second factor',
  description:
    'For a new phone, remove the second factor and set it up again. If your role needs one, your next login asks for it.',
  example: { code: '492039' },
  access: 'human',
  ownAccount: true,
  scope: 'login',
  effect: 'manual',
  audited: true,
  limitedBy: { rule: 'own-password', password: 'code' },
  params: { code: describe(codeText, 'Code of the authenticator app, or a recovery code.') },
  errors: [RateLimitHit, SecondFactorNeeded],
  async run({ transact }, { code }) {
    const refusal = await transact('write', async (context) => {
      const { tx, actor, services } = context;
      const factor = await tx.secondFactors.of(actor.id);
      if (!factor?.is_on) throw new BadRequest('You have no second factor.');
      const wrong = await useCode(context, actor.id, code);
      if (wrong) return wrong;
      await tx.secondFactors.remove(actor.id);
      enqueueNotice(context, actor, 'Your second factor is off', [
        `logging in to ${services.options.baseUrl} needs only your password now.`,
        'If this was not you, change your password and contact an administrator.',
      ]);
      return undefined;
    });
    if (refusal) throw refusal;
  },
});
