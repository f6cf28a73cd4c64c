import { present } from '../base/present.ts';
import { escapeAttribute, escapeQuotedText } from './html.ts';
import { attribute, charactersOf, NO_CONTENT, type Open, TOKEN } from './plain-text.ts';

/** Mail programs ignore style sheets, so each element has the styles of `content.css` as an attribute. */
const CODE = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;background:#f0f3f2";
const STYLES: Readonly<Record<string, string>> = {
  p: 'margin:0 0 8px',
  ul: 'margin:0 0 8px;padding:0 0 0 24px',
  ol: 'margin:0 0 8px;padding:0 0 0 24px',
  li: 'margin:0',
  blockquote: 'margin:0 0 8px;padding:0 0 0 12px;border-left:3px solid #dfe5e3;color:#586562',
  pre: `margin:0 0 8px;padding:8px;white-space:pre-wrap;overflow-wrap:anywhere;${CODE}`,
  code: CODE,
  h1: 'margin:0 0 8px;font-size:1.35em',
  h2: 'margin:0 0 8px;font-size:1.2em',
  h3: 'margin:0 0 8px;font-size:1.1em',
  h4: 'margin:0 0 8px;font-size:1em',
  h5: 'margin:0 0 8px;font-size:1em',
  h6: 'margin:0 0 8px;font-size:1em',
  table: 'margin:0 0 8px;border-collapse:collapse',
  th: 'padding:4px 8px;border:1px solid #dfe5e3;text-align:start',
  td: 'padding:4px 8px;border:1px solid #dfe5e3',
};
/** Elements without attributes. Of all other elements, only the content stays. */
const PLAIN = new Set(['strong', 'em', 'del', 'thead', 'tbody', 'tr']);
const LINK = /^(?:https?|mailto|tel):/i;
const HIDDEN = '<p style="margin:0 0 8px;color:#586562">Hidden text: open the chat to read it.</p>';

/** Before the source of a formula, which is the last element in it. */
const SOURCE = '\0';

const same = (text: string) => text;
const nothing = () => '';

/**
 * Converts the HTML of a message for an e-mail. It loads nothing: pictures and sound become links, and so do links within
 * the chat. Emoji become characters, formulas their source. Omits the content of spoilers, and
 * previews of links.
 * @param site public address, for links within the chat
 */
export function emailHtml(html: string, site: string): string {
  const stack: Open[] = [{ tag: '', text: '', close: same }];
  const top = () => present(stack.at(-1));
  const end = () => {
    const { text, close } = present(stack.pop());
    top().text += close(text);
  };
  for (const [, slash, tag = '', attributes = '', text] of html.matchAll(TOKEN)) {
    if (text !== undefined) top().text += text;
    else if (slash) {
      if (stack.length > 1 && top().tag === tag) end();
    } else if (NO_CONTENT.has(tag)) top().text += alone(tag, attributes);
    else stack.push({ tag, text: '', close: closing(tag, attributes, site) });
  }
  while (stack.length > 1) end();
  return top().text.trim();
}

function alone(tag: string, attributes: string): string {
  if (tag === 'br') return '<br>';
  if (tag === 'hr') return '<hr>';
  return tag === 'img' ? escapeQuotedText(attribute(attributes, 'alt') ?? '') : '';
}

function closing(tag: string, attributes: string, site: string): Open['close'] {
  const classes = attribute(attributes, 'class')?.split(' ') ?? [];
  const emoji = classes.find((name) => /^emoji-[0-9a-f-]+$/.test(name))?.slice('emoji-'.length);
  if (classes.includes('emoji') && emoji) return () => charactersOf(emoji);
  if (classes.includes('katex-html') || classes.includes('message_embed')) return nothing;
  if (classes.includes('spoiler-content')) return () => HIDDEN;
  switch (tag) {
    case 'math':
      return (text) => `<code style="${CODE}">${text.slice(text.lastIndexOf(SOURCE) + 1)}</code>`;
    case 'annotation':
      return (text) => SOURCE + text;
    case 'a':
    case 'audio': {
      const url = attribute(attributes, tag === 'a' ? 'href' : 'src') ?? '';
      return (text) => link(url, text || escapeQuotedText(attribute(attributes, 'title') || nameOf(url)), site);
    }
    case 'ol': {
      const start = Number(attribute(attributes, 'start') ?? 1);
      return (text) => `<ol start="${start}" style="${STYLES.ol}">${text}</ol>`;
    }
    default: {
      const style = STYLES[tag];
      if (style !== undefined) return (text) => `<${tag} style="${style}">${text}</${tag}>`;
      return PLAIN.has(tag) ? (text) => `<${tag}>${text}</${tag}>` : same;
    }
  }
}

function link(url: string, text: string, site: string): string {
  const address = url.startsWith('/') || url.startsWith('#') ? site + url.replace(/^#/, '/#') : url;
  return LINK.test(address) ? `<a href="${escapeAttribute(address)}" style="color:#0a5fb4">${text}</a>` : text;
}

/** The last part of an address, for pictures without a title. */
function nameOf(url: string): string {
  const name = /([^/?#]+)(?:[?#].*)?$/.exec(url)?.[1] ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
