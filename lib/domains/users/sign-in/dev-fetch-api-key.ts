import { AuthenticationFailed, BadRequest, UserDeactivated } from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { emailAddress } from '../names.ts';
import { signedIn, signInResult } from '../passwords.ts';

export const devFetchApiKey = defineOperation({
  name: 'devFetchApiKey',
  http: 'POST /dev_fetch_api_key',
  summary: 'Get the API key of any account on a development server',
  description: 'Works only if development mode is enabled.',
  example: { username: 'ada@example.com' },
  access: 'anyone',
  effect: 'read',
  audited: 'sign-in',
  params: { username: describe(nonEmptyText(), "The account's e-mail address.") },
  result: signInResult,
  errors: [AuthenticationFailed, UserDeactivated],
  async run({ tx, organization, services }, { username }) {
    if (!services.options.development)
      throw new BadRequest('This is not a development server. Sign in with a password instead.');
    const user = await tx.users.byEmail(username.trim());
    // After the lookup: the placeholder of a user without an address is not an address to give.
    if (!user) emailAddress(username);
    if (!user || user.is_system_bot) throw new AuthenticationFailed();
    if (!user.is_active) throw new UserDeactivated();
    return signedIn(organization, user);
  },
});
