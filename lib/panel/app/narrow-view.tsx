/** A list of messages with its heading: a topic, a channel, a direct conversation, a view or a search. */

import type { JSX } from 'preact';
import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import type { Channel } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { MessageContent } from '../content/content.tsx';
import { PanelContext, useCell, useCellOf } from '../context.ts';
import type { IconName } from '../icons.tsx';
import { Conversation } from '../messages/conversation.tsx';
import { NewTopic } from '../parts.ts';
import { useApp } from '../words/app-words.ts';
import { ChannelMenu } from './channel-menu.tsx';
import { ColumnContext } from './column-state.ts';
import { quoted, useReport, useSearch } from './hooks.ts';
import { SearchHeading, SearchResults } from './parts.ts';
import { ChannelIcon, DirectIcon, useDirectName, useTopicName } from './place-names.tsx';
import { Link, useRouter } from './router.tsx';
import { fragmentOf, narrowOf, type PageName, type Route, withoutPlace } from './routes.ts';
import { ShareLink } from './share-link.tsx';
import { TopicMenu } from './topic-menu.tsx';
import { ViewHeader } from './view-header.tsx';

type MessagesRoute = Exclude<Route, { readonly view: PageName | 'administration' }>;

export function NarrowView({ route }: { route: Route }): JSX.Element | null {
  const narrow = narrowOf(route);
  useLinkedMessage(route);
  if (!narrow) return null;
  const near = 'near' in route ? route.near : undefined;
  const key = `${fragmentOf(withoutPlace(route))} ${near ?? ''}`;
  const isSearch = route.view === 'search';
  const conversation = (
    <WithoutHeader>
      <Conversation
        key={key}
        narrow={narrow}
        at={near ?? (isSearch ? 'newest' : 'first_unread')}
        toWrite={'toWrite' in route}
        starter={route.view === 'channel' && <NewTopic {...route} />}
      />
    </WithoutHeader>
  );
  return (
    <>
      <Heading route={route as MessagesRoute} />
      {'channelId' in route && <MutedLine {...route} />}
      {isSearch ? <SearchResults key={key}>{conversation}</SearchResults> : conversation}
    </>
  );
}

/** The app has a heading of its own. */
function WithoutHeader({ children }: { children: JSX.Element }): JSX.Element {
  const panel = useApp();
  const value = useMemo(() => ({ ...panel, hidden: new Set([...panel.hidden, 'header']) }), [panel]);
  return <PanelContext.Provider value={value}>{children}</PanelContext.Provider>;
}

/** A link to a topic names one of its messages. If that was moved, the link leads to where it is now. */
function useLinkedMessage(route: Route): void {
  const { store } = useApp();
  const { go } = useRouter();
  const id = route.view === 'topic' ? route.with : undefined;
  useEffect(() => {
    if (id === undefined || route.view !== 'topic') return;
    let isCurrent = true;
    store.session.messages.get({ message_id: id, allow_empty_topic_name: true }).then(
      ({ message }) => {
        if (!isCurrent || message.type !== 'stream') return;
        const { stream_id: channelId, subject: topic } = message;
        const isHere = channelId === route.channelId && topic.toLowerCase() === route.topic.toLowerCase();
        if (!isHere) go({ ...route, channelId, topic }, { replace: true });
      },
      // Deleted, or not visible: the link keeps its topic.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [id]);
}

function Heading({ route }: { route: MessagesRoute }): JSX.Element {
  switch (route.view) {
    case 'topic':
      return <TopicHeading channelId={route.channelId} topic={route.topic} />;
    case 'channel':
      return <ChannelHeading channelId={route.channelId} />;
    case 'direct':
      return <DirectHeading userIds={route.userIds} />;
    case 'search':
      return <SearchHeading route={route} />;
    default:
      return <ViewHeading view={route.view} />;
  }
}

/** A channel that is not subscribed is looked up once. */
function useChannel(channelId: number): Channel | undefined {
  const { store } = useApp();
  const channels = useCell(store.channels);
  const isStarted = useCell(store.me) !== undefined;
  useEffect(() => {
    // Without access, the list of messages says so.
    if (isStarted && !store.channels.get().has(channelId)) store.channels.lookUp(channelId).catch(() => {});
  }, [store, channelId, isStarted]);
  const last = useRef<Channel>(undefined);
  const channel = channels.get(channelId);
  if (channel) last.current = channel;
  // The user may lose access while reading: the heading keeps its name.
  return last.current?.stream_id === channelId ? last.current : undefined;
}

function TopicHeading({ channelId, topic }: { channelId: number; topic: string }): JSX.Element {
  const { words } = useApp();
  const channel = useChannel(channelId);
  const name = useTopicName(topic);
  const to = { view: 'channel', channelId } as const;
  const detail = (
    <Link to={to} class="quiet-link">
      <ChannelIcon channel={channel} /> {channel?.name ?? words.channel}
    </Link>
  );
  return (
    <ViewHeader title={name} detail={detail}>
      <SearchButton query={channel ? `in:${quoted(channel.name)} ` : ''} />
      <ShareLink isInMenu />
      <ColumnButton />
      <TopicMenu channelId={channelId} topic={topic} />
    </ViewHeader>
  );
}

function ChannelHeading({ channelId }: { channelId: number }): JSX.Element {
  const { store, words } = useApp();
  const channel = useChannel(channelId);
  return (
    <ViewHeader
      title={channel?.name ?? words.channel}
      lead={<ChannelIcon channel={channel} />}
      detail={channel?.rendered_description && <MessageContent html={channel.rendered_description} />}
    >
      <SearchButton query={channel ? `in:${quoted(channel.name)} ` : ''} />
      <ShareLink isInMenu />
      <ColumnButton />
      {channel && store.channels.get().has(channelId) && <ChannelMenu channel={channel} />}
    </ViewHeader>
  );
}

const MUTED = 1;
const UNMUTED = 2;

/** Says that a topic or channel is muted, and ends it. */
function MutedLine({ channelId, topic }: { channelId: number; topic?: string }): JSX.Element | null {
  const { store, words } = useApp();
  const report = useReport();
  const channel = useCell(store.channels).get(channelId);
  // Changes with the policies of its topics.
  useCellOf(() => store.channels.topics(channelId), [store, channelId]);
  const policy = topic === undefined ? 0 : store.channels.policy(channelId, topic);
  const isMuted = policy === MUTED || (policy === 0 && channel?.is_muted === true && channel.is_subscribed);
  if (!isMuted) return null;
  const { userTopics, subscriptions } = store.session;
  const isOfChannel = policy !== MUTED;
  const unmute = () =>
    topic === undefined
      ? subscriptions.updateProperties({
          subscription_data: [{ stream_id: channelId, property: 'is_muted', value: false }],
        })
      : // In a muted channel, a topic without a policy is muted.
        userTopics.set({ stream_id: channelId, topic, visibility_policy: channel?.is_muted ? UNMUTED : 0 });
  return (
    <div class="channel-notice">
      <p>{isOfChannel ? words.channelIsMuted : words.topicIsMuted}</p>
      <button type="button" class="link-button" onClick={() => report(unmute())}>
        {topic === undefined ? words.unmuteChannel : words.unmuteTopic}
      </button>
    </div>
  );
}

function DirectHeading({ userIds }: { userIds: readonly number[] }): JSX.Element {
  return (
    <ViewHeader title={useDirectName(userIds)} lead={<DirectIcon userIds={userIds} />}>
      <ShareLink />
      <ColumnButton />
    </ViewHeader>
  );
}

const VIEW_ICONS: Readonly<Record<'mentions' | 'starred', IconName>> = { mentions: 'at', starred: 'star' };

function ViewHeading({ view }: { view: 'mentions' | 'starred' }): JSX.Element {
  const { words } = useApp();
  return <ViewHeader title={words[view]} icon={VIEW_ICONS[view]} />;
}

function SearchButton({ query }: { query: string }): JSX.Element {
  const { words } = useApp();
  const openSearch = useSearch();
  return <IconButton icon="search" label={words.search} onClick={() => openSearch(query)} />;
}

function ColumnButton(): JSX.Element | null {
  const { words } = useApp();
  const column = useContext(ColumnContext);
  if (!column) return null;
  return (
    <IconButton
      class="icon-button column-button"
      icon="column"
      label={words.peopleAndFiles}
      aria-expanded={column.tab !== undefined}
      onClick={column.toggle}
    />
  );
}
