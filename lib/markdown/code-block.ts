import { createRequire } from 'node:module';
import type { HLJSApi, LanguageFn } from 'highlight.js';
import { codeOf } from '../base/caught.ts';
import { present } from '../base/present.ts';
import { CLASSES, GRAMMARS, type Grammar } from './data/grammars.ts';
import { LEXERS } from './data/lexers.ts';
import { escapeAttribute, escapeQuotedText } from './html.ts';
import type { RenderState } from './render-state.ts';

const require = createRequire(import.meta.url);
let loaded: HLJSApi | undefined;

const LEXER_NAMES = new Map<string, string>();
for (const line of LEXERS.trim().split('\n')) {
  const [name = '', aliases = ''] = line.split('\t');
  for (const alias of aliases.split(' ')) if (!LEXER_NAMES.has(alias)) LEXER_NAMES.set(alias, name);
}

/** Longer lines (in UTF-16 code units) are not highlighted: grammars backtrack on them. */
const LONG_LINE = /[^\n]{500}/;

/** The first line may name the language: `#!/bin/bash`, `#!/usr/bin/env python`, `::ruby`. */
const HEADER = /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]+)/;

/**
 * HTML of a code block, with the Pygments name of its language. An unknown language keeps its name. A language that is
 * only in the first line is used for highlighting, but not named in the HTML.
 */
export function codeBlock(text: string, language: string | undefined, state: RenderState): string {
  const code = withoutNewlinesAround(text);
  const spoken = language ?? HEADER.exec(code)?.[1]?.toLowerCase();
  const mayHighlight = spoken !== undefined && state.admitsHighlighting(code.length);
  const highlighted = (mayHighlight ? highlight(code, spoken) : undefined) ?? escapeQuotedText(code);
  if (language === undefined) return frame('', highlighted.replace(/&#x27;/g, '&#39;'));
  const attribute = ` data-code-language="${escapeAttribute(lexerName(language) ?? language)}"`;
  return frame(attribute, highlighted.replace(/&quot;/g, '"').replace(/&#x27;/g, "'"));
}

function frame(attribute: string, code: string): string {
  // Clients recognize highlighted code by the empty span.
  return `<div class="codehilite"${attribute}><pre><span></span><code>${code}\n</code></pre></div>`;
}

/** Not `/\n+$/`, which takes quadratic time for a run of newlines inside the text. */
function withoutNewlinesAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '\n') start += 1;
  while (end > start && text[end - 1] === '\n') end -= 1;
  return text.slice(start, end);
}

/** The name of a language by an alias in any case: `js` is JavaScript. Undefined for an unknown one. */
export function lexerName(alias: string): string | undefined {
  return LEXER_NAMES.get(alias.toLowerCase());
}

/** Undefined for a language without a grammar, or if a bundler has left out highlight.js. */
function highlight(code: string, language: string): string | undefined {
  // PHP without an opening tag: the template grammar would treat it as text.
  const isBare = /^(?:html|xml)\+php$/.test(language) && !code.includes('<?');
  const grammar = grammarNamed(isBare ? 'php' : language);
  if (grammar === undefined || LONG_LINE.test(code)) return undefined;
  const hljs = withGrammar(grammar);
  if (hljs === undefined) return undefined;
  const { value } = hljs.highlight(code, { language: grammar.names[0], ignoreIllegals: true });
  return withPygmentsClasses(value, grammar);
}

const SPAN_OR_TEXT = /<span class="([^"]*)">|<\/span>|[^<]+/g;
/** Names, operators and punctuation in escaped text. Characters that belong to text, such as quotes, are skipped. */
const TOKEN =
  /&(?:quot|#x27);|([\p{L}_$][\p{L}\p{N}_$]*)|((?:[-+*/%=!|^~?@:]|&(?:lt|gt|amp);)+)|([.])|([()[\]{},;]+)/gu;

/**
 * Turns the scopes of highlight.js into classes of Pygments. Clients have style sheets for names, operators and
 * punctuation too, which highlight.js leaves without a scope.
 */
function withPygmentsClasses(html: string, outer: Grammar): string {
  // The open elements. The result leaves out those without a class. `inside` is the language of text directly in the element.
  const open: { isShown: boolean; inside: Grammar | undefined }[] = [{ isShown: false, inside: outer }];
  return html.replace(SPAN_OR_TEXT, (part, scope: string | undefined) => {
    const { inside } = present(open.at(-1));
    if (part === '</span>') return open.pop()?.isShown ? part : '';
    if (scope === undefined) return inside?.code === undefined ? part : withTokens(part, inside);
    if (scope.startsWith('language-')) {
      open.push({ isShown: false, inside: grammarNamed(scope.slice('language-'.length)) });
      return '';
    }
    const isGroup = GROUPING_SCOPE.test(scope);
    open.push({ isShown: !isGroup, inside: isGroup ? inside : undefined });
    return isGroup ? '' : `<span class="${classOf(scope)}">`;
  });
}

/** Scopes that group others. */
const GROUPING_SCOPE = /^hljs-(?:function|params)\b/;

function withTokens(text: string, { code, dotted }: Grammar): string {
  return text.replace(TOKEN, (token, name?: string, operator?: string, dot?: string, signs?: string) => {
    if (name !== undefined) return `<span class="${code}">${token}</span>`;
    if (operator !== undefined) return `<span class="${operator === ':' ? 'p' : 'o'}">${token}</span>`;
    if (dot !== undefined) return `<span class="${dotted ? 'o' : 'p'}">${token}</span>`;
    return signs === undefined ? token : `<span class="p">${token}</span>`;
  });
}

const grammarNamed = (language: string) => GRAMMARS.find(({ names }) => names.includes(language));

/** The highlighter and each grammar are loaded on first use: all of them take a third of the startup time. */
function withGrammar(grammar: Grammar): HLJSApi | undefined {
  try {
    loaded ??= require('highlight.js/lib/core') as HLJSApi;
    for (const { names, file } of [grammar, ...(grammar.embeds ?? []).flatMap((name) => grammarNamed(name) ?? [])]) {
      if (loaded.getLanguage(names[0])) continue;
      loaded.registerLanguage(names[0], require(`highlight.js/lib/languages/${file ?? names[0]}`) as LanguageFn);
    }
    return loaded;
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** `hljs-title function_` is the scope `title.function`; of an unknown one the beginning decides. */
function classOf(scope: string): string {
  const path = scope
    .replace(/^hljs-/, '')
    .split(' ')
    .map((part) => part.replace(/_+$/, ''));
  return CLASSES[path.slice(0, 2).join('.')] ?? CLASSES[path[0] ?? ''] ?? 'n';
}
