import { findSetting, type Variables } from './environment.ts';
import { UsageError } from './failure.ts';

/** What the address where people reach a chat must be, in words that go after "must be". */
export const BASE_URL_WANTED = 'an address such as https://chat.example.com';

export function isBaseUrl(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, username, search, hash } = new URL(given);
  return /^https?:$/.test(protocol) && username === '' && search === '' && hash === '';
}

/**
 * Where people reach a chat, by option, then environment.
 * @throws UsageError naming the option or the variable that is wrong
 */
export function chooseBaseUrl(typed: string | undefined, env?: Variables): string | undefined {
  const setting = findSetting('--base-url', typed, env);
  if (setting && !isBaseUrl(setting.value)) throw new UsageError(`${setting.source} must be ${BASE_URL_WANTED}.`);
  return setting?.value;
}
