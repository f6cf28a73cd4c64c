import * as v from 'valibot';
import { EmailAlreadyInUse, PasswordTooWeak } from '../../../base/errors.ts';
import { choice, optional, repeatable } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { defaultRole } from '../../../rules/organization-settings.ts';
import { checkPassword } from '../../../rules/passwords.ts';
import { ROLES } from '../../../rules/roles.ts';
import { checkConfirmed, confirmationCode } from '../../../viewer/confirmation.ts';
import { addressTaken, checkedPerson, createAccount, newPersonParams } from '../account-creation.ts';
import { hashPassword, newPasswordParam } from '../passwords.ts';

export const createUser = defineOperation({
  name: 'users.create',
  http: 'POST /users',
  summary: 'Create an account',
  description: 'Administrators only. Without a password, the account can sign in only by API key.',
  example: { email: 'ben@example.com', full_name: 'Ben' },
  access: 'administrator',
  scope: 'login',
  effect: 'manual',
  params: {
    ...newPersonParams,
    password: v.optional(newPasswordParam),
    role: optional(
      choice(ROLES),
      'Default: member, or guest if the audience of the organization are customers. Only owners can create owners.',
    ),
    code: confirmationCode,
    ...repeatable,
  },
  mayNeedCode: true,
  // The stored digest of the parameters must not help to guess the password.
  idempotency: { ignored: ['password', 'code'] },
  result: v.object({ user_id: v.number() }),
  errors: [EmailAlreadyInUse, PasswordTooWeak],
  async run({ transact, once, isDryRun }, { password, code: _, ...given }) {
    const { row, person } = await transact('read', async ({ actor, organization }) => {
      const row = { ...given, role: given.role ?? defaultRole(organization) };
      const person = checkedPerson(actor, row);
      if (password !== undefined) checkPassword(password, person);
      return { row, person };
    });
    const password_hash = password === undefined ? null : await hashPassword(password, { isDryRun });
    return once('write', async (context) => {
      // Hashing takes time, in which the caller may have lost the role.
      checkedPerson(context.actor, row);
      await checkConfirmed(context, row.role);
      const known = await context.tx.users.byEmail(person.email);
      if (known) throw addressTaken(known);
      const { id: user_id } = await createAccount(context, { ...person, password_hash });
      return { user_id };
    });
  },
});
