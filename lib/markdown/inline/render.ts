import { escapeMarkdownText, escapeText } from '../html.ts';
import { linkifiers } from '../linkifier-patterns.ts';
import type { RenderState } from '../render-state.ts';
import { autolinks } from './autolinks.ts';
import { channelLinks, messageLinks, topicLinks } from './channel-links.ts';
import { emojiCharacters, emojiNames, emoticons } from './emoji.ts';
import { formulas } from './formulas.ts';
import { links } from './links.ts';
import { groupMentions, userMentions } from './mentions.ts';
import { type InlineContext, type InlineLink, type InlineRule, Placeholders, replacing } from './rule.ts';
import { times } from './times.ts';

/**
 * Code between runs of backticks of the same length, spaces kept. When no other run is as long, the
 * first ones of the run belong to the code. A backslash before a run takes its meaning away.
 */
const codeSpans: InlineRule = {
  applies: (text) => text.includes('`'),
  apply(text, { placeholders, state }) {
    const runs = [...text.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }));
    const closers = new Closers(runs.map((run) => run.length));
    let result = '';
    let from = 0;
    for (let index = 0; index < runs.length; index += 1) {
      const opening = runs[index];
      const found = opening && closers.after(index, opening.length);
      const closing = found && runs[found.index];
      if (!opening || !closing || isEscaped(text, opening.at) || !state.admits()) continue;
      const code = text.slice(opening.at + closing.length, closing.at);
      result += text.slice(from, opening.at) + placeholders.add(`<code>${escapeText(code)}</code>`);
      from = closing.at + closing.length;
      index = found.index;
    }
    return result + text.slice(from);
  },
};

/** Finds the next run of a length. Indexes must rise from call to call, so that all calls together are cheap. */
class Closers {
  private readonly byLength = new Map<number, { indexes: number[]; next: number }>();

  constructor(lengths: readonly number[]) {
    lengths.forEach((length, index) => {
      const same = this.byLength.get(length);
      if (same) same.indexes.push(index);
      else this.byLength.set(length, { indexes: [index], next: 0 });
    });
  }

  after(index: number, longest: number): { index: number } | undefined {
    for (let length = longest; length > 0; length -= 1) {
      const same = this.byLength.get(length);
      if (!same) continue;
      while ((same.indexes[same.next] ?? Number.POSITIVE_INFINITY) <= index) same.next += 1;
      const found = same.indexes[same.next];
      if (found !== undefined) return { index: found };
    }
    return undefined;
  }
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

export function renderInline(text: string, isQuoted: boolean, state: RenderState): InlineHtml {
  const parser = new InlineParser(isQuoted, state);
  const parsed = parser.apply(text, 0);
  return { html: parser.finish(parsed), links: parser.linksIn(parsed) };
}

class InlineParser implements InlineContext {
  readonly placeholders = new Placeholders();
  readonly links: InlineLink[] = [];
  /** The index of the rule that is being applied. */
  private present = 0;

  constructor(
    readonly isQuoted: boolean,
    readonly state: RenderState,
  ) {}

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
