import { toString as textOf } from 'nlcst-to-string';
import retextEnglish from 'retext-english';
import retextPassive from 'retext-passive';
import { type Processor, unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';

export type Rule = 'word' | 'length' | 'passive';

export interface Finding {
  rule: Rule;
  says: string;
  /** Lines below the first line of the text. */
  below: number;
}

/** Names in code are not counted. */
const MAX_WORDS = 25;

/** Words that style.md bans, with what to write instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\bwho(m)?ever\b/i, 'name the person: a user, the caller'],
  [/\bwhom\b/i, 'split the sentence'],
  // The role `nobody` is a value: "4 nobody", "Default: nobody".
  [/(?<!role:|Default: |\d |[`"'*@])\b(no|some|any)body\b/i, 'name the person: no user, a user'],
  [/\bby then\b|\bby and by\b|\bmeanwhile\b/i, 'say when'],
  [/\bsuch as (may|can|is|are|has|have)\b/i, 'name the thing'],
  [/\b(is|are|was|were|be|been|being) told\b/i, 'say: receives, prints, returns'],
  [/\bfor who\b|\bthose who\b|\bthat which\b/i, 'name the person or the thing'],
  [/(?<!(any|every|no|some)(thing|where) )\belse[.,;:)]/i, 'say: otherwise, in other cases'],
  [/\bgoes on from\b|\blet in\b|\bin vain\b/i, 'use the plain word'],
];

const toSentences = unified().use(retextEnglish) as unknown as Processor;

/** The parser finds no end of a sentence after a number or a unit, and none before a lower-case name in code. */
const withEnds = (text: string) =>
  text.replace(/(\d|\b[µm]?s)\.(?=\s+([A-Z]|code\b))/g, '$1!').replace(/([.!?]\)?\s+)code\b/g, '$1Code');

export function findingsIn(text: string): Finding[] {
  const found: Finding[] = [];
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  for (const [pattern, advice] of BANNED) {
    for (const { 0: word, index } of text.matchAll(new RegExp(pattern, 'gi'))) {
      found.push({ rule: 'word', says: `"${word}": ${advice}`, below: lineOf(index) });
    }
  }
  const tree = toSentences.parse(withEnds(text)) as never;
  visit(tree, 'SentenceNode', (sentence: never) => {
    let words = 0;
    visit(sentence, 'WordNode', (word: never) => void (textOf(word).toLowerCase() !== 'code' && words++));
    if (words <= MAX_WORDS) return;
    const start = (sentence as { position: { start: { offset: number } } }).position.start.offset;
    found.push({ rule: 'length', says: `${words} words: "${textOf(sentence).slice(0, 50)}…"`, below: lineOf(start) });
  });
  const file = new VFile(text);
  retextPassive.call(undefined as never)(tree, file);
  for (const { reason, line } of file.messages) found.push({ rule: 'passive', says: reason, below: (line ?? 1) - 1 });
  return found;
}
