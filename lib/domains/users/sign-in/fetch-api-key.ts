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
import { enqueueNotice, passwordMatches, signedIn, signInResult } from '../passwords.ts';
import { codeParam, passSecondFactor } from '../second-factor/factor.ts';

export const fetchApiKey = defineOperation({
  name: 'fetchApiKey',
  http: 'POST /fetch_api_key',
  summary: 'Get your API key with your password',
  description:
    'An account with a second factor also needs `code`. Failed attempts are limited per user name. An e-mail tells the user of the login, unless `enable_login_emails` is off.',
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
  async run({ services, client, transact }, { username, password, code }) {
    const { user, organization } = await transact('read', async ({ tx, organization }) => {
      if (!organizationSetting(organization, 'password_login')) throw new PasswordAuthDisabled();
      return { user: await tx.users.byEmail(username.trim()), organization };
    });
    const mayLogIn = user !== undefined && user.bot_type === null;
    const matches = await passwordMatches(password, mayLogIn ? user.password_hash : null);
    if (!matches || !mayLogIn) throw new AuthenticationFailed();
    if (!user.is_active) throw new UserDeactivated();
    await passSecondFactor({ transact }, user, code);
    if (services.options.mail && user.settings.enable_login_emails !== false) {
      await transact('append', async (context) =>
        enqueueNotice(context, user, `New login to ${organization.name}`, [
          `your account on ${services.options.baseUrl} was just used to sign in with ${client} (${new Date(context.now).toUTCString()}).`,
          'If this was not you, replace your API key (POST /users/me/api_key/regenerate) and contact an administrator.',
        ]),
      );
    }
    return signedIn(organization, user);
  },
});
