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
  const written = end === undefined ? undefined : readAddress(text.slice(close + 2, end));
  const url =
    written === undefined
      ? undefined
      : linkTarget(context.placeholders.restore(written.address), context.state.options);
  if (end === undefined || url === undefined) return undefined;
  const label = text.slice(at + 1, close);
  // A link inside a link is none.
  if (context.placeholders.restore(label).includes('<a ') || !context.state.admits()) return undefined;
  const isMedia = text[at - 1] === '!';
  const player = isMedia ? audioPlayer(url, label, context.state.options) : undefined;
  if (player) {
    context.state.played.push(url);
    return { start: at - 1, end: end + 1, placeholder: context.placeholders.add(player) };
  }
  const shown = label.trim() === '' ? url : label;
  const title = written?.title === undefined ? '' : ` title="${escapeAttribute(written.title)}"`;
  const html = `<a href="${escapeAttribute(url)}"${title}>${context.placeholders.restore(escapeMarkdownText(shown))}</a>`;
  const placeholder = context.placeholders.add(html);
  context.links.push({ url, text: shown, placeholder });
  return { start: at, end: end + 1, placeholder };
}

function readAddress(inside: string): { address: string; title: string | undefined } | undefined {
  if (inside.includes(PLACEHOLDER_START)) return undefined;
  const text = inside.trim();
  const titled = /^([^"']*?) +(?:"([^"]*)"|'([^']*)')$/.exec(text);
  const address = titled?.[1] ?? text;
  const bare = address.startsWith('<') && address.endsWith('>') ? address.slice(1, -1) : address;
  return { address: bare, title: titled?.[2] ?? titled?.[3] };
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
