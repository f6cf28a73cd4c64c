import { groupBy } from '../../base/lists.ts';
import { escapeMarkdownText, escapeText } from '../html.ts';
import { linkifiers } from '../linkifiers.ts';
import type { RenderState } from '../render-state.ts';
import { emojiCharacters, emojiNames, emoticons } from './emoji.ts';
import { formulas } from './formulas.ts';
import { autolinks, links } from './links.ts';
import { channelLinks, groupMentions, messageLinks, topicLinks, userMentions } from './mentions.ts';
import { type InlineContext, type InlineLink, type InlineRule, Placeholders, replacing } from './rule.ts';
import { times } from './times.ts';

/**
 * Code between runs of backticks of the same length, spaces kept. When no other run is as long, the
 * first ones of the run belong to the code. A backslash before a run takes its meaning away.
 */
const codeSpans: InlineRule = {
  applies: (text) => text.includes('`'),
  apply(text, { placeholders, state }) {
    const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index: at }, index) => ({ index, at, length: run.length }));
    const closingRun = closingRuns(runs);
    let result = '';
    let from = 0;
    for (let index = 0; index < runs.length; index += 1) {
      const opening = runs[index];
      const closing = opening && closingRun(opening);
      if (!opening || !closing || isEscaped(text, opening.at) || !state.admits()) continue;
      const code = text.slice(opening.at + closing.length, closing.at);
      result += text.slice(from, opening.at) + placeholders.add(`<code>${escapeText(code)}</code>`);
      from = closing.at + closing.length;
      index = closing.index;
    }
    return result + text.slice(from);
  },
};

interface Run {
  index: number;
  at: number;
  length: number;
}

/**
 * Finds the next run that is as long as a run, or else as one of its parts. Runs must come in their order, so that all
 * calls together are cheap.
 */
function closingRuns(runs: readonly Run[]) {
  const byLength = groupBy([...runs].reverse(), ({ length }) => length);
  return (opening: Run) => {
    for (let length = opening.length; length > 0; length -= 1) {
      const same = byLength.get(length) ?? [];
      while ((same.at(-1)?.index ?? Number.POSITIVE_INFINITY) <= opening.index) same.pop();
      if (same.length > 0) return same.at(-1);
    }
    return undefined;
  };
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** Text between delimiters; the rules that follow apply to what they enclose. */
function between(delimiter: string, pattern: RegExp, open: string, close: string): InlineRule {
  return replacing(delimiter, pattern, (context, _whole, inner = '') => open + context.renderRest(inner) + close);
}

/** Only stars make emphasis, never underscores, and never across lines. */
const strongEmphasis = between('***', /\*\*\*(?!\s)([^*\n]+)(?<!\s)\*\*\*/g, '<strong><em>', '</em></strong>');
const strong = between('**', /\*\*([^\n]+?)\*\*/g, '<strong>', '</strong>');
const emphasis = between('*', /\*(?!\s)([^*\n]+)(?<!\s)\*/g, '<em>', '</em>');
const strikethrough = between('~~', /(?<!~)~~([^~\n]+?)~~(?!~)/g, '<del>', '</del>');

/**
 * The order is part of the dialect: text of an earlier rule is not seen by later ones. CommonMark resolves delimiter
 * runs instead, so a library would find other emphasis and links.
 */
const RULES: readonly InlineRule[] = [
  codeSpans,
  strongEmphasis,
  userMentions,
  formulas,
  messageLinks,
  topicLinks,
  channelLinks,
  times,
  groupMentions,
  links,
  autolinks,
  linkifiers,
  strong,
  emphasis,
  strikethrough,
  emojiNames,
  emoticons,
  emojiCharacters,
];

export interface InlineHtml {
  html: string;
  links: readonly TextLink[];
}

export interface TextLink {
  url: string;
  text: string;
  /** Where its placeholder stands, which only serves to order; -1 inside emphasis. */
  at: number;
  /** There is nothing else in the text. */
  isAlone: boolean;
}

export function renderInline(text: string, state: RenderState, { isQuoted }: { isQuoted: boolean }): InlineHtml {
  const parser = new InlineParser(state, { isQuoted });
  const parsed = parser.apply(text, 0);
  return { html: parser.finish(parsed), links: parser.linksIn(parsed) };
}

class InlineParser implements InlineContext {
  readonly placeholders = new Placeholders();
  readonly links: InlineLink[] = [];
  readonly isQuoted: boolean;
  /** The index of the rule that is being applied. */
  private present = 0;

  constructor(
    readonly state: RenderState,
    { isQuoted }: { isQuoted: boolean },
  ) {
    this.isQuoted = isQuoted;
  }

  apply(text: string, first: number): string {
    let parsed = text;
    for (let index = first; index < RULES.length; index += 1) {
      const rule = RULES[index];
      if (!rule?.applies(parsed, this.state)) continue;
      this.present = index;
      parsed = rule.apply(parsed, this);
    }
    return parsed;
  }

  renderRest(text: string): string {
    const { present } = this;
    const html = this.finish(this.apply(text, present + 1));
    this.present = present;
    return html;
  }

  finish(parsed: string): string {
    const escaped = escapeMarkdownText(parsed);
    return this.placeholders.restore(escaped.includes('\n') ? escaped.replaceAll('\n', '<br>\n') : escaped);
  }

  linksIn(parsed: string): TextLink[] {
    if (this.links.length === 0) return [];
    for (const { url, text } of this.links) this.state.links.push({ url, text });
    return this.links
      .map(({ url, text, placeholder }) => ({
        url,
        text,
        at: parsed.indexOf(placeholder),
        isAlone: parsed === placeholder,
      }))
      .sort((a, b) => rank(a.at) - rank(b.at));
  }
}

function rank(at: number): number {
  return at === -1 ? Number.MAX_SAFE_INTEGER : at;
}
