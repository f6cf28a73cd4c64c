import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { recognizeCopies } from '../../base/across-copies.ts';
import { BadRequest } from '../../base/errors.ts';
import { apiKey, describe, nonEmptyText, optional } from '../../base/schemas.ts';
import { sendEmail } from '../../jobs/outbox.ts';
import type { Organization } from '../../model/organization.ts';
import type { User } from '../../model/users.ts';
import { deriveApiKey } from '../../rules/credentials.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../rules/passwords.ts';
import { isBot } from '../../rules/roles.ts';
import { checkConfirmed } from '../../viewer/confirmation.ts';
import type { AccountContext, WriteContext } from '../../viewer/context.ts';
import { checkMayChangeOwner } from './activation.ts';

export const newPasswordParam = describe(
  nonEmptyText(MAX_PASSWORD_LENGTH),
  `At least ${MIN_PASSWORD_LENGTH} characters, and not the name or e-mail address.`,
);

/** scrypt's N is 2 to this power: about 60 ms and 32 MiB for each hash on a usual machine. */
const DEFAULT_COST = 15;
const KEY_LENGTH = 32;

let newCost = DEFAULT_COST;

/** Sets the cost of new hashes. For tests, which hash hundreds of passwords. */
export function setPasswordCost(cost: number): void {
  newCost = cost;
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: 2 ** cost, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_LENGTH, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/**
 * `scrypt$<salt>$<key>`, both base64url. A cost other than the default follows as `$<cost>`. A dry run stores no password,
 * so it gets a hash that matches none: its hashes would delay the logins of others.
 */
export async function hashPassword(password: string, { isDryRun = false } = {}): Promise<string> {
  if (isDryRun) return 'none';
  const salt = randomBytes(16);
  const key = await derive(password, salt, newCost);
  const cost = newCost === DEFAULT_COST ? '' : `$${newCost}`;
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}${cost}`;
}

/** A missing hash takes as long as a wrong password, so that the response time does not reveal accounts. */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const [scheme, salt = '', key = '', cost = DEFAULT_COST] = (hash ?? `none$$$${newCost}`).split('$');
  const expected = scheme === 'scrypt' ? Buffer.from(key, 'base64url') : Buffer.alloc(KEY_LENGTH);
  const actual = await derive(password, Buffer.from(salt, 'base64url'), Number(cost));
  return timingSafeEqual(actual, expected) && scheme === 'scrypt';
}

export class WrongPassword extends BadRequest {
  constructor() {
    super('The current password is wrong.');
  }
}

recognizeCopies(WrongPassword, 'WrongPassword');

/** Notifies a user by e-mail that their password was changed. @param how a sentence that says who changed it */
export function enqueuePasswordChanged(context: WriteContext, user: User, how: string): void {
  enqueueNotice(context, user, `Your password for ${context.organization.name} was changed`, [
    `the password of your account on ${context.services.options.baseUrl} was changed. ${how}`,
    'If you did not want this, contact an administrator.',
  ]);
}

export function enqueueNotice({ services, enqueue }: WriteContext, user: User, subject: string, lines: string[]): void {
  const text = [`Hello ${user.full_name},`, '', ...lines].join('\n');
  if (services.options.mail) enqueue(sendEmail({ to: user.delivery_email, subject, text }));
}

export const signInResult = v.object({ api_key: apiKey, email: v.string(), user_id: v.number() });

/** The result of operations that set a password. Like a login, they give no key before the set-up of a second factor. */
export const newPasswordResult = v.object({
  ...signInResult.entries,
  api_key: optional(
    apiKey,
    'API key. Absent if the role needs a second factor: log in with a browser to set it up. Also absent if passwords are turned off.',
  ),
});

export function signedIn({ secret }: Organization, user: User): v.InferOutput<typeof signInResult> {
  const api_key = deriveApiKey(secret, user.id, user.key_generation);
  return { api_key, email: user.delivery_email, user_id: user.id };
}

/** Otherwise, an administrator could take over an owner's account by its password. */
export async function accessPersonToSignIn({ actor, viewer }: AccountContext, id: number): Promise<User> {
  const user = await viewer.administeredAccount(id);
  if (isBot(user))
    throw new BadRequest(`The user with ID ${id} is a bot. Bots sign in with their API key: GET /bots/${id}/api_key.`);
  checkMayChangeOwner(actor, user);
  return user;
}

/** The same, for a call that gives access to the account. */
export async function accessPersonToAdmit(context: AccountContext, id: number): Promise<User> {
  const user = await accessPersonToSignIn(context, id);
  await checkConfirmed(context, user.role);
  return user;
}
