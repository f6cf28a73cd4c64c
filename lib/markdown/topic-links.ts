import { linkTarget } from './addresses.ts';
import type { Linkifier } from './data.ts';
import { leadingAddress } from './inline/autolinks.ts';
import { linkifierMatches, mayMatch } from './linkifier-patterns.ts';
import { allowance } from './render-state.ts';

export interface TopicLink {
  url: string;
  /** As it stands in the topic. */
  text: string;
}

const MAX_SEARCH = 5_000_000;
/** Topics whose links are kept for one list of linkifiers. */
const MAX_KEPT = 1_000;
const kept = new WeakMap<readonly Linkifier[], Map<string, readonly TopicLink[]>>();

/**
 * The links of a topic, in order: matches of linkifiers, and web addresses. Cached as long as the linkifiers, since
 * lists of messages repeat topics.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): readonly TopicLink[] {
  const known = kept.get(linkifiers) ?? new Map<string, readonly TopicLink[]>();
  kept.set(linkifiers, known);
  const links = known.get(topic) ?? findLinks(topic, linkifiers);
  if (known.size >= MAX_KEPT) known.clear();
  known.set(topic, links);
  return links;
}

function findLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const found: (TopicLink & { start: number; end: number })[] = [];
  const add = (start: number, end: number, url: string | undefined) => {
    if (url === undefined || found.some((one) => one.start < end && start < one.end)) return;
    found.push({ start, end, url, text: topic.slice(start, end) });
  };
  const admits = allowance(MAX_SEARCH);
  for (const linkifier of linkifiers) {
    if (!mayMatch(linkifier, topic)) continue;
    for (const { start, end, url } of linkifierMatches(linkifier, topic, admits)) add(start, end, linkTarget(url, {}));
  }
  for (const { 0: word, index } of topic.matchAll(/[^ !;),'"]+/g)) {
    const address = leadingAddress(word);
    if (address !== undefined) add(index, index + address.length, webTarget(address));
  }
  return found.sort((one, other) => one.start - other.start).map(({ url, text }) => ({ url, text }));
}

function webTarget(address: string): string | undefined {
  const isBare = !/^https?:/i.test(address) && !/^[^/]*@/.test(address);
  return linkTarget(isBare ? `https://${address}` : address, {});
}
