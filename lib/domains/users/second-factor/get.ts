import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { needsFactor } from '../../../viewer/confirmation.ts';

export const getSecondFactor = defineOperation({
  name: 'secondFactor.get',
  http: 'GET /users/me/second_factor',
  summary: 'Show whether your logins need a second factor',
  access: 'human',
  ownAccount: true,
  result: v.object({
    is_on: describe(v.boolean(), 'Whether a login with your password needs a code.'),
    is_required: describe(v.boolean(), 'Whether your role needs a second factor (`second_factor_required_for`).'),
    recovery_codes_left: describe(v.number(), 'Number of unused recovery codes.'),
  }),
  async run({ tx, actor, organization }) {
    const factor = await tx.secondFactors.of(actor.id);
    const is_on = factor?.is_on === true;
    const left = is_on ? factor.recovery_digests.length : 0;
    return { is_on, is_required: needsFactor(organization, actor.role), recovery_codes_left: left };
  },
});
