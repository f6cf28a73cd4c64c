import { siteIn } from '../lib/internal.ts';
import { findSetting, type Variables } from './environment.ts';
import { UsageError } from './failure.ts';

/** Completes a sentence that ends in "must be". */
export const BASE_URL_WANTED = 'an address such as https://chat.example.com';

/**
 * The public URL of the chat, from the option or the environment.
 * @throws UsageError naming the option or the variable that is wrong
 */
export function chooseBaseUrl(typed: string | undefined, env?: Variables): string | undefined {
  const setting = findSetting('--base-url', typed, env);
  if (!setting) return undefined;
  const site = siteIn(setting.value);
  if (site === undefined) throw new UsageError(`${setting.source} must be ${BASE_URL_WANTED}.`);
  return site;
}
