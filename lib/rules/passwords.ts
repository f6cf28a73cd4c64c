import { PasswordTooWeak } from '../base/errors.ts';
import { codePoints } from '../base/schemas.ts';
import { fold } from './fold.ts';

/** In code points. */
export const MIN_PASSWORD_LENGTH = 8;

/** In characters. Longer passwords are refused before hashing, because hashing them would be expensive. */
export const MAX_PASSWORD_LENGTH = 1_000;

export function checkPassword(password: string, account: { email: string; full_name: string }): void {
  if (codePoints(password.normalize('NFKC')) < MIN_PASSWORD_LENGTH) {
    throw new PasswordTooWeak(`The password must have at least ${MIN_PASSWORD_LENGTH} characters.`);
  }
  const [mailbox = ''] = account.email.split('@');
  if ([account.email, mailbox, account.full_name].some((own) => fold(own) === fold(password))) {
    throw new PasswordTooWeak("The password cannot be the account's name or address.");
  }
  if (new Set(password).size === 1) throw new PasswordTooWeak('The password cannot be one repeated character.');
}
