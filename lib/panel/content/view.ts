import type { contentWords } from './words.ts';

/** What the nodes of a message depend on, apart from its HTML. */
export interface ContentView {
  /** The address of the chat, absolute, without a slash at the end. */
  readonly site: string;
  readonly words: typeof contentWords;
  readonly formats: { full(at: number): string };
  /** The reader's user ID. */
  readonly me: number | undefined;
  /** The message mentions the reader. */
  readonly isMentioned: boolean;
  /** Files of other sites have a button that loads them. False in the web app, whose policy forbids it: links alone. */
  readonly loadsExternal: boolean;
}
