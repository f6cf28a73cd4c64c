/** Keys that lead to another conversation. */
import type { Channel } from '../../client/store/types.ts';
import type { Panel } from '../context.ts';
import { placesKey } from '../messages/places.ts';
import { type Inbox, inboxOf, sortedChannels } from './inbox-model.ts';
import type { Router } from './router.tsx';
import { INBOX, narrowOf, type Route } from './routes.ts';

/** To the next conversation with unread messages, or to the inbox, which says that there is none. */
export function toNextUnread({ store, formats }: Pick<Panel, 'store' | 'formats'>, { route, go }: Router): void {
  const channels = sortedChannels(store.channels.get().values(), formats.lang);
  const inbox = inboxOf(store.unread.get(), channels, store.conversations.get());
  go(nextUnread(inbox, { channels, route }) ?? INBOX);
}

/**
 * The conversation after this one in the order of the inbox, and after the last one the first. The open topic is often read
 * already: its place is then that of its channel.
 */
export function nextUnread(
  inbox: Inbox,
  { channels, route }: { channels: readonly Channel[]; route: Route },
): Route | undefined {
  const here = keyOf(route);
  const direct = inbox.direct.map(({ userIds }): Route => ({ view: 'direct', userIds }));
  const topics = inbox.channels.flatMap(({ channel, topics }) =>
    topics.map(({ name }) => ({ view: 'topic', channelId: channel.stream_id, topic: name }) as const),
  );
  const all = [...direct, ...topics];
  const at = all.findIndex((to) => keyOf(to) === here);
  const from = at >= 0 ? at : 'channelId' in route ? direct.length + firstFrom(route.channelId) : 0;
  return [...all.slice(from), ...all.slice(0, from)].find((to) => keyOf(to) !== here);

  /** The first of the topics in this channel or in one below it. */
  function firstFrom(channelId: number): number {
    const order = new Map(channels.map(({ stream_id }, index) => [stream_id, index]));
    const own = order.get(channelId) ?? 0;
    const found = topics.findIndex((topic) => (order.get(topic.channelId) ?? 0) >= own);
    return found >= 0 ? found : topics.length;
  }
}

function keyOf(route: Route): string | undefined {
  const narrow = narrowOf(route);
  return narrow && placesKey(narrow);
}

/** To the link of the sidebar above or below that of this view, as it is on the screen. */
export function toNeighbor(app: HTMLElement | null, by: number): void {
  const links = [...(app?.querySelectorAll<HTMLElement>('.sidebar-scroll a:not(.nav-quiet)') ?? [])];
  const at = links.findIndex((link) => link.hasAttribute('aria-current'));
  const next = at < 0 ? links.at(by > 0 ? 0 : -1) : links[at + by];
  next?.click();
}
