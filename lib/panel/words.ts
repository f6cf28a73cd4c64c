/** The texts of the panel in English. A page replaces some or all of them with the property `words`. */
import { appWords } from './app/words.ts';
import { composerWords } from './composer/words.ts';
import { contentWords } from './content/words.ts';
import { messageWords } from './messages/words.ts';

export const ENGLISH = { ...messageWords, ...contentWords, ...composerWords, ...appWords };

/** Texts, and functions that make texts with names and counts. */
export type Words = Translated<typeof ENGLISH>;

type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

export function wordsWith(own: Partial<Words> | undefined): Words {
  return own ? { ...ENGLISH, ...own } : ENGLISH;
}
