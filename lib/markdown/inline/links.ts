import { linkTarget } from '../addresses.ts';
import { escapeAttribute, escapeMarkdownText } from '../html.ts';
import { audioPlayer } from '../media.ts';
import { type InlineContext, type InlineRule, PLACEHOLDER_START } from './rule.ts';

/** `[text](address "title")`. The text is shown as it is, apart from code, mentions and formulas; no reference links. */
export const links: InlineRule = {
  applies: (text) => text.includes(']('),
  apply(text, context) {
    const closers = matchingBrackets(text);
    let result = '';
    let from = 0;
    for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) {
      const link = readLink(text, at, closers, context);
      if (!link) continue;
      result += text.slice(from, link.start) + link.placeholder;
      from = link.end;
      at = from - 1;
    }
    return result + text.slice(from);
  },
};

function readLink(text: string, at: number, closers: Closers, context: InlineContext) {
  const close = closers.get(at);
  if (close === undefined || text[close + 1] !== '(') return undefined;
  const end = closers.get(close + 1);
  if (end === undefined || !context.state.admitsLinkSearch(end - at)) return undefined;
  const written = readAddress(text.slice(close + 2, end));
  if (!written) return undefined;
  const url = linkTarget(context.placeholders.restore(written.address), context.state.options);
  if (url === undefined) return undefined;
  const label = text.slice(at + 1, close);
  // A link inside a link is none.
  if (context.placeholders.restore(label).includes('<a ') || !context.state.admits()) return undefined;
  // In the dialect, images have no syntax of their own: `![text](address)` is text, and its address is linked alone.
  if (text[at - 1] === '!') {
    const player = audioPlayer(url, label);
    if (player === undefined) return undefined;
    context.state.played.push(url);
    return { start: at - 1, end: end + 1, placeholder: context.placeholders.add(player) };
  }
  const shown = label.trim() === '' ? url : label;
  const title = written.title === undefined ? '' : ` title="${escapeAttribute(written.title)}"`;
  const html = `<a href="${escapeAttribute(url)}"${title}>${context.placeholders.restore(escapeMarkdownText(shown))}</a>`;
  const placeholder = context.placeholders.add(html);
  context.links.push({ url, text: shown, placeholder });
  return { start: at, end: end + 1, placeholder };
}

function readAddress(inside: string): { address: string; title: string | undefined } | undefined {
  if (inside.includes(PLACEHOLDER_START)) return undefined;
  const text = inside.trim();
  const quote = titleStart(text);
  const address = quote === undefined ? text : withoutSpacesAtEnd(text.slice(0, quote));
  const bare = address.startsWith('<') && address.endsWith('>') ? address.slice(1, -1) : address;
  return { address: bare, title: quote === undefined ? undefined : text.slice(quote + 1, -1) };
}

/** The first quotation mark starts a title if it follows a space and the next of its kind ends the text. */
function titleStart(text: string): number | undefined {
  const at = text.search(/["']/);
  if (at < 1 || text[at - 1] !== ' ') return undefined;
  return text.indexOf(text.charAt(at), at + 1) === text.length - 1 ? at : undefined;
}

/** Not `/ +$/`, which looks at a run of spaces within the text once from each of them. */
function withoutSpacesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

type Closers = ReadonlyMap<number, number>;

/** Where each bracket and parenthesis closes; those of one kind do not disturb the other. */
function matchingBrackets(text: string): Closers {
  const closers = new Map<number, number>();
  const square: number[] = [];
  const round: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[') square.push(index);
    else if (character === '(') round.push(index);
    else if (character === ']' || character === ')') {
      const open = (character === ']' ? square : round).pop();
      if (open !== undefined) closers.set(open, index);
    }
  }
  return closers;
}
