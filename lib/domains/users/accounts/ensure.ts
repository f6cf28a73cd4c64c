import * as v from 'valibot';
import { BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe } from '../../../kernel/schemas.ts';
import { isBot, MEMBER, ROLES } from '../../../rules/roles.ts';
import type { User } from '../../../storage/interface/users.ts';
import { checkDomain, checkedPerson, createAccounts, newPersonParams } from '../account-creation.ts';
import { checkNameIsFree } from '../names.ts';

export const ensureUser = defineOperation({
  name: 'users.ensure',
  http: 'POST /users/ensure',
  summary: 'Find the account with an address, or create it',
  description:
    'Administrators only. Called twice, also at once, it is the same account. One that exists stays as it is, deactivated ones too.',
  example: { email: 'ben@example.com', full_name: 'Ben' },
  access: 'administrator',
  effect: 'write',
  params: v.object({
    ...newPersonParams,
    role: v.optional(describe(choice(ROLES), 'Of an account that is created.'), MEMBER),
  }),
  result: v.object({
    user_id: v.number(),
    is_new: describe(v.boolean(), 'Whether the account was created by this call.'),
    is_active: describe(v.boolean(), 'false: it exists, and is deactivated.'),
  }),
  errors: [BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal],
  async run(context, given) {
    const person = checkedPerson(context.actor, given);
    // Writers exclude each other, so between looking and creating nobody else creates it.
    const present = await context.tx.users.byEmail(person.email);
    if (present && isBot(present)) throw new EmailAlreadyInUse(person.email);
    if (present) return { user_id: present.id, is_new: false, is_active: present.is_active };
    checkDomain(context.organization, person.email);
    await checkNameIsFree(context, person.full_name);
    const [user] = (await createAccounts(context, [person])) as [User];
    return { user_id: user.id, is_new: true, is_active: true };
  },
});
