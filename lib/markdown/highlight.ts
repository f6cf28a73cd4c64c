import hljs from 'highlight.js/lib/core';
import { GRAMMARS } from './grammars.ts';

/** The reference colours code by the short classes of Pygments; each scope of highlight.js has its nearest one. */
const CLASSES: Readonly<Record<string, string>> = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'k',
  char: 'se',
  class: 'nc',
  code: 'sb',
  comment: 'c1',
  deletion: 'gd',
  doctag: 'sd',
  emphasis: 'ge',
  formula: 's',
  function: 'nf',
  keyword: 'k',
  link: 'nt',
  literal: 'kc',
  meta: 'cp',
  name: 'nt',
  number: 'mi',
  operator: 'o',
  params: 'n',
  property: 'n',
  punctuation: 'p',
  quote: 'c1',
  regexp: 'sr',
  section: 'gh',
  selector: 'nt',
  string: 's',
  strong: 'gs',
  subst: 'si',
  symbol: 'ss',
  tag: 'nt',
  template: 'cp',
  title: 'nf',
  type: 'kt',
  variable: 'nv',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-tag': 'nt',
  'template-tag': 'cp',
  'template-variable': 'nv',
  'title.class': 'nc',
  'title.function': 'nf',
  'variable.constant': 'no',
  'variable.language': 'bp',
};

const registered = new Set<string>();

/** Nobody reads colours in longer lines, and it is on them that grammars go back and forth. */
const LONG_LINE = /[^\n]{500}/;

/** HTML of code with its parts marked; undefined for a language there is no grammar of. */
export function highlight(code: string, language: string): string | undefined {
  const name = grammarName(language);
  if (name === undefined || LONG_LINE.test(code)) return undefined;
  const { value } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return value
    .replace(/<span class="([^"]*)">/g, (_tag, scope: string) => `<span class="${classOf(scope)}">`)
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'");
}

/** Grammars are read when first wanted: each costs some milliseconds. */
function grammarName(language: string): string | undefined {
  const grammar = GRAMMARS.find(({ names }) => names.includes(language));
  if (!grammar) return undefined;
  for (const { names, read } of [
    grammar,
    ...GRAMMARS.filter(({ names }) => grammar.embeds?.includes(names[0] ?? '')),
  ]) {
    const [name = ''] = names;
    if (registered.has(name)) continue;
    hljs.registerLanguage(name, read);
    registered.add(name);
  }
  return grammar.names[0];
}

/** `hljs-title function_` is the scope `title.function`; of an unknown one the beginning decides. */
function classOf(scope: string): string {
  if (scope.startsWith('language-')) return 'n';
  const path = scope
    .replace(/^hljs-/, '')
    .split(' ')
    .map((part) => part.replace(/_+$/, ''));
  return CLASSES[path.slice(0, 2).join('.')] ?? CLASSES[path[0] ?? ''] ?? 'n';
}
