import { domainToASCII } from 'node:url';
import { BadRequest } from '../../base/errors.ts';
import { codePoints } from '../../base/schemas.ts';
import { domainKey, nameKey } from '../../rules/fold.ts';
import { BLANK_SIGNS, isBlank, PLACEHOLDER_DOMAIN, spelledName } from '../../rules/names.ts';
import { organizationSetting } from '../../rules/organization-settings.ts';
import type { ReadContext } from '../../viewer/context.ts';

/** Lengths of a name in code points. */
const MIN_LENGTH = 2;
const MAX_LENGTH = 100;
/** Characters that are invisible. Variation selectors are not: they choose the form of the character before them. */
const INVISIBLE = `(?!\\p{Variation_Selector})[\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Default_Ignorable_Code_Point}${BLANK_SIGNS}]`;
/** Invisible and control characters, and characters of the syntax of mentions. */
const FORBIDDEN = new RegExp(`${INVISIBLE}|[*\`\\\\>"@\\p{Cc}]`, 'u');
/** Zero width non-joiner and joiner, which some scripts need between letters, with the letters around them. */
const JOINERS = /(?<=([\p{L}\p{M}]*))[\u200c\u200d](?=([\p{L}\p{M}]*))/gu;

/**
 * Removes the joiners that stand where IDNA allows them (RFC 5892, CONTEXTJ), or all others. Allowed places: after a
 * virama, and for the non-joiner also between letters that join. JavaScript does not know such letters, but its reader of
 * domains does.
 */
const withoutJoiners = (name: string, { allowed }: { allowed: boolean }): string =>
  name.replace(JOINERS, (joiner, before: string, after: string) => {
    const isAllowed = before !== '' && domainToASCII(before + joiner + after) !== '';
    return isAllowed === allowed ? '' : joiner;
  });

/** Trims and validates a name. It cannot contain characters of the syntax of mentions. */
export function fullName(given: string): string {
  const name = spelledName(given);
  const length = codePoints(name);
  if (length < MIN_LENGTH) throw new BadRequest(`The name must have at least ${MIN_LENGTH} characters.`);
  if (length > MAX_LENGTH) throw new BadRequest(`The name is too long (limit: ${MAX_LENGTH} characters).`);
  if (FORBIDDEN.test(withoutJoiners(name, { allowed: true })) || isBlank(name)) {
    throw new BadRequest('The name cannot contain invisible or control characters, or any of * ` \\ > " @.');
  }
  if (/\|\d+$/.test(name)) throw new BadRequest('The name cannot end in a vertical bar and digits.');
  return name;
}

function toValidName(text: string): string {
  const visible = spelledName(text).replace(new RegExp(`(?![\\u200c\\u200d])${INVISIBLE}`, 'gu'), '');
  const line = visible.replace(new RegExp(`(?![\\u200c\\u200d])(?:${FORBIDDEN.source})`, 'gu'), ' ');
  const words = line.trim().replace(/\s+/g, ' ');
  const name = withoutJoiners([...words].slice(0, MAX_LENGTH).join(''), { allowed: false }).trim();
  const valid = name.replace(/\|+(?=\d+$)/, ' ').trim();
  if (isBlank(valid)) return 'Unnamed';
  return codePoints(valid) < MIN_LENGTH ? `${valid}.` : valid;
}

/** Helpers for programs that create accounts for users they know already. */
export const users: {
  /**
   * Makes a name that the chat accepts out of any text, for example a login name. Removes characters that names cannot
   * contain, and shortens the text to 100 characters.
   * @returns the same name for the same text. `Unnamed` if no character remains
   * @example users.toValidName('*ben@corp*'); // 'ben corp'
   */
  toValidName(text: string): string;
} = { toValidName };

/** @param holder ID of the account that may have the name */
export async function checkNameIsFree({ tx, organization }: ReadContext, name: string, holder?: number): Promise<void> {
  if (!organizationSetting(organization, 'require_unique_names')) return;
  const alike = await tx.users.withNamesLike([name]);
  if (alike.some((user) => user.id !== holder)) throw new BadRequest(`The name "${name}" is taken.`);
}

/** Like `checkNameIsFree`, for these names together: each call also reserves its name. */
export async function nameChecker({ tx, organization }: ReadContext, names: readonly string[]) {
  const isUnique = organizationSetting(organization, 'require_unique_names');
  const taken = new Map<string, number | undefined>();
  for (const user of isUnique ? await tx.users.withNamesLike(names) : []) taken.set(nameKey(user.full_name), user.id);
  return (name: string, holder?: number): void => {
    const key = nameKey(name);
    if (isUnique && taken.has(key) && (holder === undefined || taken.get(key) !== holder))
      throw new BadRequest(`The name "${name}" is taken.`);
    taken.set(key, holder);
  };
}

/** @param holder ID of the bot that may have the name. @throws BadRequest if another active account has it */
export async function checkBotNameIsFree(
  { tx }: Pick<ReadContext, 'tx'>,
  name: string,
  holder?: number,
): Promise<void> {
  const alike = await tx.users.withNamesLike([name]);
  if (alike.some((user) => user.is_active && user.full_name === name && user.id !== holder))
    throw new BadRequest(`An active account has the name "${name}". Choose another name for the bot.`);
}

/** Longest address a mailbox may have (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;
/** Words without spaces and invisible characters, separated by single dots. */
const MAILBOX = /^[^.@<>()[\]\\,;:"\p{C}\p{Z}]+(?:\.[^.@<>()[\]\\,;:"\p{C}\p{Z}]+)*$/u;
const DOMAIN = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/**
 * Whether the text is one e-mail address; `localhost` and other bare hosts are allowed. The domain of placeholders is not:
 * only `chat.sync` gives these addresses, to users without one.
 *
 * Compatibility forms are not allowed either. `emailKey` folds U+212A (Kelvin sign) to `k`, but mail servers do not: the
 * mail to one mailbox would prove the address of another.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const domain = domainKey(text.slice(at + 1));
  return (
    text.length <= MAX_EMAIL_LENGTH &&
    !/\s/.test(text) &&
    text.normalize('NFKC') === text &&
    MAILBOX.test(text.slice(0, Math.max(at, 0))) &&
    DOMAIN.test(domain) &&
    !`.${domain}`.endsWith(`.${PLACEHOLDER_DOMAIN}`)
  );
}

export function emailAddress(given: string): string {
  const email = given.trim();
  if (!isEmailAddress(email)) throw new BadRequest(`"${given}" is not an e-mail address.`);
  return email;
}
