import {
  AuthenticationFailed,
  PasswordAuthDisabled,
  RateLimitHit,
  SecondFactorNeeded,
  UserDeactivated,
} from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { MAX_PASSWORD_LENGTH } from '../../../rules/passwords.ts';
import { passwordMatches, signedIn, signInResult } from '../passwords.ts';
import { codeParam, passSecondFactor } from '../second-factor/factor.ts';
import { mailAboutNewLogin } from './login-email.ts';

export const fetchApiKey = defineOperation({
  name: 'fetchApiKey',
  http: 'POST /fetch_api_key',
  summary: 'Get your API key with your password',
  description:
    'An account with a second factor also needs `code`. Failed attempts are limited per user name. An e-mail tells the user of a login from a new device or network, unless `enable_login_emails` is off.',
  example: { username: 'ada@example.com', password: 'correct horse battery staple' },
  access: 'anyone',
  effect: 'manual',
  audited: 'sign-in',
  limitedBy: { rule: 'sign-in', account: 'username' },
  params: {
    username: describe(nonEmptyText(), "The account's e-mail address."),
    password: nonEmptyText(MAX_PASSWORD_LENGTH),
    code: codeParam,
  },
  result: signInResult,
  errors: [AuthenticationFailed, PasswordAuthDisabled, RateLimitHit, SecondFactorNeeded, UserDeactivated],
  async run(context, { username, password, code }) {
    const { user, organization } = await context.transact('read', async ({ tx, organization }) => {
      if (!organizationSetting(organization, 'password_login')) throw new PasswordAuthDisabled();
      return { user: await tx.users.byEmail(username.trim()), organization };
    });
    const mayLogIn = user !== undefined && user.bot_type === null;
    const matches = await passwordMatches(password, mayLogIn ? user.password_hash : null);
    if (!matches || !mayLogIn) throw new AuthenticationFailed();
    if (!user.is_active) throw new UserDeactivated();
    await passSecondFactor(context, user, code);
    await mailAboutNewLogin(context, user, organization);
    return signedIn(organization, user);
  },
});
