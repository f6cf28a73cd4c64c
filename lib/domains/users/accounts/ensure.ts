import * as v from 'valibot';
import { AdoptionRefused, BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal } from '../../../base/errors.ts';
import { choice, describe, optional } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { defaultRole } from '../../../rules/organization-settings.ts';
import { isBot, isOwnAccount, ROLES } from '../../../rules/roles.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import { addressTaken, checkedPerson, createAccount, newPersonParams } from '../account-creation.ts';
import { checkMayChangeOwner } from '../activation.ts';
import { adoptParam, endEarlierAccess, planAdoption } from '../adoption.ts';

export const ensureUser = defineOperation({
  name: 'users.ensure',
  http: 'POST /users/ensure',
  summary: 'Get the account with an e-mail address, or create it',
  description:
    'Safe to repeat and to call concurrently. Does not change or reactivate an existing account. Refuses an account whose address is not verified: it may belong to another user.',
  example: { email: 'ben@example.com', full_name: 'Ben' },
  access: 'administrator',
  scope: 'login',
  effect: 'write',
  params: {
    ...newPersonParams,
    role: optional(
      choice(ROLES),
      'Role of a new account. Default: member, or guest if the audience of the organization are customers. An existing account keeps its role.',
    ),
    adopt: adoptParam,
    code: confirmationCode,
  },
  mayNeedCode: true,
  result: v.object({
    user_id: v.number(),
    is_new: describe(v.boolean(), 'Whether this call created the account.'),
    is_active: describe(v.boolean(), 'false: the account exists but is deactivated.'),
    adopted: optional(
      choice(['verified', 'reset']),
      'Of an existing account. `verified`: its address was verified. `reset`: the access of its earlier user has ended.',
    ),
  }),
  errors: [AdoptionRefused, EmailAlreadyInUse, UnauthorizedPrincipal],
  async run(context, { adopt, code: _, ...given }) {
    const role = given.role ?? defaultRole(context.organization);
    const person = checkedPerson(context.actor, { ...given, role });
    // Write transactions run one at a time, so no other request creates the account after this lookup.
    const present = await context.tx.users.byEmail(person.email);
    if (present && isBot(present)) throw addressTaken(present);
    if (present) {
      const adopted = planAdoption(present, adopt);
      if (adopted === 'reset') {
        checkMayChangeOwner(context.actor, present);
        // It would remove the own password and second factor, which a stolen API key must not do.
        if (isOwnAccount(context.actor, present.id)) throw new BadRequest('You cannot reset your own account.');
        await checkConfirmed(context, present.role);
        await endEarlierAccess(context, present);
      }
      return { user_id: present.id, is_new: false, is_active: present.is_active, adopted };
    }
    await checkConfirmed(context, role);
    const { id: user_id } = await createAccount(context, person);
    return { user_id, is_new: true, is_active: true };
  },
});
