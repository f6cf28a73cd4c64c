import * as v from 'valibot';
import { BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { choice, describe, text } from '../../../kernel/schemas.ts';
import { ADMINISTRATOR, isAdministrator, MEMBER, ROLES } from '../../../rules/roles.ts';
import { defaultChannelIds } from '../../channels/default-channels.ts';
import { subscribe } from '../../channels/subscribing.ts';
import { checkMayChangeOwner } from '../activation.ts';
import { checkNameIsFree, fullName, isEmailAddress } from '../names.ts';
import { newAccount } from '../new-account.ts';
import { hashPassword, MAX_PASSWORD_LENGTH } from '../passwords.ts';
import { emitAccountsCreated } from './events.ts';

export const createUser = defineOperation({
  name: 'users.create',
  http: 'POST /users',
  summary: 'Create an account',
  description: 'Administrators only. Without a password the account signs in by API key alone.',
  example: { email: 'ben@example.com', full_name: 'Ben' },
  access: 'administrator',
  effect: 'manual',
  params: v.object({
    email: describe(text(), 'Real address; unique without regard to case.'),
    full_name: describe(text(), 'Display name, 2 to 100 characters.'),
    password: v.optional(describe(text(MAX_PASSWORD_LENGTH), 'For signing in with fetch_api_key.')),
    role: v.optional(describe(choice(ROLES), 'Only owners create owners.'), MEMBER),
  }),
  result: v.object({ user_id: v.number() }),
  errors: [BadRequest, EmailAlreadyInUse, UnauthorizedPrincipal],
  async run({ transact, actor }, { email: address, full_name, password, role }) {
    const email = address.trim();
    if (!isEmailAddress(email)) throw new BadRequest(`"${address}" is not an e-mail address.`);
    const name = fullName(full_name);
    if (password === '') throw new BadRequest('A password cannot be empty.');
    checkMayChangeOwner(actor, { role });
    if (role <= ADMINISTRATOR && !isAdministrator(actor))
      throw new UnauthorizedPrincipal('an organization administrator');
    const password_hash = password === undefined ? null : await hashPassword(password);
    return transact('write', async (context) => {
      const { tx, organization, now } = context;
      if (await tx.users.byEmail(email)) throw new EmailAlreadyInUse(email);
      await checkNameIsFree(context, name);
      const user = await tx.users.create({
        ...newAccount({ email, full_name: name, role, now, organization }),
        password_hash,
      });
      emitAccountsCreated(context, [user]);
      const channels = await tx.channels.byIds(await defaultChannelIds(context));
      await subscribe(context, channels, [user]);
      return { user_id: user.id };
    });
  },
});
