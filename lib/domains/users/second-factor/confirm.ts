import * as v from 'valibot';
import { BadRequest } from '../../../base/errors.ts';
import { describe, secret } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { enqueueNotice } from '../passwords.ts';
import { codeText, newRecoveryCodes, unusedStep } from './factor.ts';

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
  effect: 'write',
  audited: true,
  params: { code: describe(codeText, 'The code that the app shows now.') },
  result: v.object({
    recovery_codes: describe(
      v.array(secret(v.string(), 'Replaces a code of the app once.')),
      'Each replaces a code of the app once.',
    ),
  }),
  async run(context, { code }) {
    const { tx, actor, services } = context;
    const factor = await tx.secondFactors.of(actor.id);
    if (!factor) throw new BadRequest('Begin first (POST /users/me/second_factor).');
    if (factor.is_on) throw new BadRequest('Your second factor is on already.');
    const step = unusedStep(context, factor, code);
    if (step === undefined)
      throw new BadRequest('The code is wrong. Check the clock of the phone, and send the current code of the app.');
    const { codes, digests } = newRecoveryCodes();
    await tx.secondFactors.put({ ...factor, is_on: true, last_step: step, recovery_digests: digests });
    enqueueNotice(context, actor, 'Your second factor is on', [
      `logging in to ${services.options.baseUrl} with your password now needs a code of your authenticator app.`,
      'If this was not you, contact an administrator.',
    ]);
    return { recovery_codes: codes };
  },
});
