import { recognizeCopies } from '../../../base/across-copies.ts';
import {
  AdoptionRefused,
  AuthenticationFailed,
  ChatError,
  PasswordAuthDisabled,
  RateLimitHit,
  SecondFactorNeeded,
  UserDeactivated,
} from '../../../base/errors.ts';
import { describe, nonEmptyText } from '../../../base/schemas.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { MAX_PASSWORD_LENGTH } from '../../../rules/passwords.ts';
import { asHost } from '../../../viewer/as-host.ts';
import type { ManualContext, Services } from '../../../viewer/context.ts';
import { externalAccount } from '../external-login.ts';
import { passwordMatches, signedIn, signInResult } from '../passwords.ts';
import { codeParam, passSecondFactor } from '../second-factor/factor.ts';
import { mailAboutNewLogin } from './login-email.ts';

/** It counts as a wrong password: otherwise, an outage would allow any number of guesses. */
class DirectoryUnreachable extends ChatError {
  constructor() {
    super(
      'The password is not one of this chat, and the directory of your organization does not answer. Try again later.',
      'AUTHENTICATION_FAILED',
      401,
    );
  }
}

recognizeCopies(DirectoryUnreachable, 'DirectoryUnreachable');

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
    username: describe(
      nonEmptyText(),
      "The account's e-mail address, or the login name in the directory of the server.",
    ),
    password: nonEmptyText(MAX_PASSWORD_LENGTH),
    code: codeParam,
  },
  result: signInResult,
  errors: [
    AdoptionRefused,
    AuthenticationFailed,
    PasswordAuthDisabled,
    RateLimitHit,
    SecondFactorNeeded,
    UserDeactivated,
  ],
  async run(context, { username, password, code }) {
    const { services, transact } = context;
    const { found, organization } = await transact('read', async ({ tx, organization }) => {
      if (!organizationSetting(organization, 'password_login')) throw new PasswordAuthDisabled();
      return { found: await tx.users.byEmail(username.trim()), organization };
    });
    const mayLogIn = found !== undefined && found.bot_type === null;
    const matches = await passwordMatches(password, mayLogIn ? found.password_hash : null);
    const isOfDirectory = !matches || !mayLogIn;
    const user = isOfDirectory ? await userInDirectory(services, transact, { username, password }) : found;
    if (!user) throw new AuthenticationFailed();
    if (!user.is_active) throw new UserDeactivated();
    await passSecondFactor(context, user, { code, isOfDirectory });
    await mailAboutNewLogin(context, user, organization);
    return signedIn(organization, user);
  },
});

/** Issuer of all logins in a directory. A new address of the directory does not change it. */
const DIRECTORY = 'directory';

/**
 * The account of a person with this password in the directory.
 * @throws DirectoryUnreachable, and what `externalAccount` throws
 */
async function userInDirectory(
  { options, logger }: Services,
  transact: ManualContext<'anyone'>['transact'],
  { username, password }: { username: string; password: string },
): Promise<User | undefined> {
  const { directory } = options;
  if (!directory) return undefined;
  const person = await directory.check(username, password).catch((error: unknown) => {
    logger.error({ error }, 'the directory does not answer, or refuses the search');
    throw new DirectoryUnreachable();
  });
  if (!person) return undefined;
  const { id: subject, email, name } = person;
  const external = { issuer: DIRECTORY, subject, email, name, role: undefined, groups: undefined };
  const rules = { adopt: 'verified', isOpen: true } as const;
  return transact('write', async (context) => (await externalAccount(await asHost(context), external, rules)).user);
}
