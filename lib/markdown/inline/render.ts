import { escapeMarkdownText } from '../html.ts';
import { linkifiers } from '../linkifier-patterns.ts';
import type { RenderState } from '../render-state.ts';
import { autolinks } from './autolinks.ts';
import { channelLinks, messageLinks, topicLinks } from './channel-links.ts';
import { codeSpans } from './code-spans.ts';
import { emojiCharacters, emojiNames, emoticons } from './emoji.ts';
import { formulas } from './formulas.ts';
import { links } from './links.ts';
import { groupMentions, userMentions } from './mentions.ts';
import { type InlineContext, type InlineLink, type InlineStep, Pieces } from './step.ts';
import { times } from './times.ts';

function between(needs: string, pattern: RegExp, open: string, close: string): InlineStep {
  return {
    applies: (text) => text.includes(needs),
    apply: (text, context) =>
      text.replace(pattern, (whole, inner: string) =>
        context.state.admits() ? context.pieces.mark(`${open}${context.renderRest(inner)}${close}`) : whole,
      ),
  };
}

/** Only stars make emphasis, never underscores, and never across lines. */
const strongEmphasis = between('***', /\*\*\*(?!\s)([^*\n]+)(?<!\s)\*\*\*/g, '<strong><em>', '</em></strong>');
const strong = between('**', /\*\*([^\n]+?)\*\*/g, '<strong>', '</strong>');
const emphasis = between('*', /\*(?!\s)([^*\n]+)(?<!\s)\*/g, '<em>', '</em>');
const strikethrough = between('~~', /(?<!~)~~([^~\n]+?)~~(?!~)/g, '<del>', '</del>');

/** The order is part of the dialect: what comes first hides its text from the rest. */
const STEPS: readonly InlineStep[] = [
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
  /** Where it stands; -1 inside emphasis. */
  at: number;
  /** There is nothing else in the text. */
  isAlone: boolean;
}

/** Every construct but addresses, the organization's patterns, emoticons and emoji has one of these. */
const SIGNS = /[`*@$#<\]~:]/;
const WITHOUT_SIGNS: ReadonlySet<InlineStep> = new Set([autolinks, linkifiers, emojiCharacters]);

export function renderInline(text: string, isQuoted: boolean, state: RenderState): InlineHtml {
  const pass = new Pass(isQuoted, state);
  const marked = pass.apply(text, 0, SIGNS.test(text) || state.options.translateEmoticons === true);
  return { html: pass.finish(marked), links: pass.linksIn(marked) };
}

class Pass implements InlineContext {
  readonly pieces = new Pieces();
  readonly links: InlineLink[] = [];
  readonly isQuoted: boolean;
  readonly state: RenderState;
  private step = 0;

  constructor(isQuoted: boolean, state: RenderState) {
    this.isQuoted = isQuoted;
    this.state = state;
  }

  apply(text: string, first: number, hasSigns: boolean): string {
    let marked = text;
    for (let index = first; index < STEPS.length; index += 1) {
      const step = STEPS[index];
      if (!step || !(hasSigns || WITHOUT_SIGNS.has(step)) || !step.applies(marked, this.state)) continue;
      this.step = index;
      marked = step.apply(marked, this);
    }
    return marked;
  }

  renderRest(text: string): string {
    const { step } = this;
    const html = this.finish(this.apply(text, step + 1, true));
    this.step = step;
    return html;
  }

  finish(marked: string): string {
    const escaped = escapeMarkdownText(marked);
    return this.pieces.restore(escaped.includes('\n') ? escaped.replaceAll('\n', '<br>\n') : escaped);
  }

  linksIn(marked: string): TextLink[] {
    if (this.links.length === 0) return [];
    for (const { url, text } of this.links) this.state.links.push({ url, text });
    return this.links
      .map(({ url, text, mark }) => ({ url, text, at: marked.indexOf(mark), isAlone: marked === mark }))
      .sort((a, b) => rank(a.at) - rank(b.at));
  }
}

function rank(at: number): number {
  return at === -1 ? Number.MAX_SAFE_INTEGER : at;
}
