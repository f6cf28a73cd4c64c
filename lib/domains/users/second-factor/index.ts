import { defineFeature } from '../../../operation/feature.ts';
import { beginSecondFactor } from './begin.ts';
import { confirmSecondFactor } from './confirm.ts';
import { confirm } from './factor.ts';
import { getSecondFactor } from './get.ts';
import { removeSecondFactor } from './remove.ts';
import { renewCodes } from './renew-codes.ts';
import { resetSecondFactor } from './reset-second-factor.ts';

/**
 * A second factor for passwords: a code of an authenticator app, or a recovery code. `fetchApiKey` and `passwords.reset`
 * need it from accounts that have one. The setting `second_factor_required_for` makes roles set it up at their next
 * login.
 */
export const secondFactor = defineFeature({
  confirm,
  operations: [
    getSecondFactor,
    beginSecondFactor,
    confirmSecondFactor,
    renewCodes,
    removeSecondFactor,
    resetSecondFactor,
  ],
});
