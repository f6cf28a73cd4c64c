/** The texts of the panel in English. A page replaces some or all of them with the property `words`. */
import { appWords } from './app/words.ts';
import { composerWords } from './composer/words.ts';
import { contentWords } from './content/words.ts';
import { messageWords } from './messages/words.ts';

export const ENGLISH = { ...messageWords, ...contentWords, ...composerWords, ...appWords };

/** Texts, and functions that make texts with names and counts. */
export type Words = {
  readonly [K in keyof typeof ENGLISH]: (typeof ENGLISH)[K] extends string ? string : (typeof ENGLISH)[K];
};

export function wordsWith(own: Partial<Words> | undefined): Words {
  return own ? { ...ENGLISH, ...own } : ENGLISH;
}
