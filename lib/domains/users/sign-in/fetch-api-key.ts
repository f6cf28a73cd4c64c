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
import type { Organization } from '../../../model/organization.ts';
import type { User } from '../../../model/users.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { KNOWN_LOGIN_MS, loginDigest, MAX_KNOWN_LOGINS } from '../../../rules/known-logins.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { MAX_PASSWORD_LENGTH } from '../../../rules/passwords.ts';
import { asHost } from '../../../viewer/as-host.ts';
import type { ManualContext } from '../../../viewer/context.ts';
import { DIRECTORY_ISSUER, externalAccount, findExternalAccount } from '../external-login.ts';
import { enqueueNotice, passwordMatches, signedIn, signInResult } from '../passwords.ts';
import { codeParam, passSecondFactor } from '../second-factor/factor.ts';

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
    const { transact } = context;
    const { found, organization, hasPasswords } = await transact('read', async ({ tx, organization, services }) => {
      const hasPasswords = organizationSetting(organization, 'password_login');
      if (!hasPasswords && !services.options.directory) throw new PasswordAuthDisabled();
      return { found: await tx.users.byEmail(username.trim()), organization, hasPasswords };
    });
    const mayLogIn = hasPasswords && found !== undefined && found.bot_type === null;
    const matches = await passwordMatches(password, mayLogIn ? found.password_hash : null);
    const user = matches && mayLogIn ? found : await userInDirectory(context, { username, password, code });
    if (!user) throw new AuthenticationFailed();
    if (!user.is_active) throw new UserDeactivated();
    if (user === found) await passSecondFactor(context, user, { code, isOfDirectory: false });
    await mailAboutNewLogin(context, user, organization);
    return signedIn(organization, user);
  },
});

/**
 * The account of a person with this password in the directory, after the check of its second factor.
 * @throws DirectoryUnreachable, and what `externalAccount` and `passSecondFactor` throw
 */
async function userInDirectory(
  context: ManualContext<'anyone'>,
  { username, password, code }: { username: string; password: string; code: string | undefined },
): Promise<User | undefined> {
  const { services, transact, countGuess } = context;
  const { options, logger } = services;
  if (!options.directory) return undefined;
  const answer = await options.directory.check(username, password).catch((error: unknown) => {
    logger.error({ error }, 'the directory does not answer, or refuses the search');
    throw new DirectoryUnreachable();
  });
  if (!answer) return undefined;
  const isRight = !('isWrong' in answer);
  await countGuess?.(answer.id, isRight);
  if (!isRight) return undefined;
  const { id: subject, email, name } = answer;
  const person = { issuer: DIRECTORY_ISSUER, subject, email, name, role: undefined, groups: undefined };
  const rules = { adopt: 'verified', isOpen: true } as const;
  // Before the login is linked to the account: without the code, it must change nothing.
  const known = await transact('read', (reading) => findExternalAccount(reading, person, rules.adopt));
  if (known) await passSecondFactor(context, known.user, { code, isOfDirectory: true });
  return transact('write', async (writing) => {
    const { user, isNew } = await externalAccount(await asHost(writing), person, rules);
    // The address has just got an account, whose code was not checked.
    if (!isNew && user.id !== known?.user.id) throw new AuthenticationFailed();
    return user;
  });
}

/**
 * Sends an e-mail about a login with the password, if the account has not used the program or the network before.
 * The table of networks remembers both.
 */
async function mailAboutNewLogin(
  { services, client, browser, network, transact }: ManualContext<'anyone'>,
  user: User,
  { name, secret }: Organization,
): Promise<void> {
  if (!services.options.mail || user.settings.enable_login_emails === false) return;
  // All browsers have the same client name.
  const program = browser ?? client;
  const used = [
    loginDigest(secret, user.id, 'client', program),
    ...(network === undefined ? [] : [loginDigest(secret, user.id, 'network', network)]),
  ];
  await transact('append', async (context) => {
    const { tx, now } = context;
    let isNew = false;
    for (const digest of used) {
      if (!(await tx.signInNetworks.isKnown(user.id, digest, now - KNOWN_LOGIN_MS))) isNew = true;
      await tx.signInNetworks.remember(user.id, digest, { now, limit: MAX_KNOWN_LOGINS });
    }
    if (!isNew) return;
    enqueueNotice(context, user, `New login to ${name}`, [
      `your account on ${services.options.baseUrl} was just used to sign in with ${program} (${new Date(now).toUTCString()}), from a device or network that is new for the account.`,
      'If this was not you, replace your API key (POST /users/me/api_key/regenerate) and contact an administrator.',
    ]);
  });
}
