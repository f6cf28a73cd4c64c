import { linkTarget } from '../addresses.ts';
import { escapeAttribute, escapeText } from '../html.ts';
import { linkifierMatches, mayMatch } from '../linkifier-patterns.ts';
import type { InlineStep } from './step.ts';

/** The organization's patterns, in their order: each leaves its matches out of reach of the next. */
export const linkifiers: InlineStep = {
  applies: (text, { data }) => data.linkifiers?.some((linkifier) => mayMatch(linkifier, text)) ?? false,
  apply(text, { state, pieces, links }) {
    let linked = text;
    for (const linkifier of state.data.linkifiers ?? []) {
      if (!mayMatch(linkifier, linked)) continue;
      let result = '';
      let from = 0;
      for (const match of linkifierMatches(linkifier, linked, (steps) => state.admitsSearch(steps))) {
        const shown = linked.slice(match.start, match.end);
        const url = linkTarget(match.url, state.options);
        if (url === undefined || shown.includes('\u0002') || !state.admits()) continue;
        const mark = pieces.mark(`<a href="${escapeAttribute(url)}">${escapeText(shown)}</a>`);
        links.push({ url, text: shown, mark });
        result += linked.slice(from, match.start) + mark;
        from = match.end;
      }
      linked = result + linked.slice(from);
    }
    return linked;
  },
};
