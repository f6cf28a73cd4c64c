/** Links to all views, channels and conversations, with unread counts. */

import type { ComponentChildren, JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { Channel, Conversation, Topic } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { useCell, useCellOf } from '../context.ts';
import { Icon, type IconName } from '../icons.tsx';
import { Outline } from '../outline.tsx';
import { isGranted } from '../refusal.ts';
import { useApp } from '../words/app-words.ts';
import { ChannelMenu } from './channel-menu.tsx';
import { Badge, Field, LimitedList, MenuButton } from './controls.tsx';
import { sortedChannels } from './inbox-model.ts';
import { OwnMenu } from './own-menu.tsx';
import { AddChannels, navigation } from './parts.ts';
import { ChannelIcon, DirectIcon, DirectName, Label, TopicName } from './place-names.tsx';
import { Link, useRouter } from './router.tsx';
import type { Route } from './routes.ts';
import { OwnsPageContext } from './view-header.tsx';

/** With more channels, there is a field to filter them. */
const MAX_CHANNELS_WITHOUT_FILTER = 15;
const CONVERSATIONS_AT_FIRST = 8;
const TOPICS_AT_FIRST = 6;
/** The lowest role that administers something. */
const MODERATOR = 300;

interface SidebarProps {
  openShortcuts(): void;
  openSearch(): void;
  openSwitcher(): void;
}

export function Sidebar({ openShortcuts, openSearch, openSwitcher }: SidebarProps): JSX.Element {
  const { store, words } = useApp();
  const { route, go } = useRouter();
  const unread = useCell(store.unread);
  const me = useCell(store.me);
  const organization = useCell(store.organization);
  const isApp = useContext(OwnsPageContext);
  const initiators = organization?.realm_direct_message_initiator_group;
  const mayStart = me !== undefined && isGranted(initiators, me);
  const openChannel = 'channelId' in route ? route.channelId : undefined;
  return (
    <nav class="sidebar" aria-label={words.navigation}>
      <header class="sidebar-header">
        {isApp ? <Logo /> : <span class="organization-name">{organization?.realm_name}</span>}
        <IconButton icon="jump" label={words.goTo} onClick={openSwitcher} />
        <IconButton icon="search" label={words.search} onClick={openSearch} />
        <IconButton icon="edit" label={words.newMessage} onClick={() => go({ view: 'new-message' })} />
        <IconButton icon="help" label={words.shortcuts} onClick={openShortcuts} />
      </header>
      <div class="sidebar-scroll" aria-busy={!me}>
        <ul class="nav-list" aria-label={words.views}>
          <NavItem to={{ view: 'inbox' }} icon="inbox" label={words.inbox} count={unread.total} />
          <NavItem to={{ view: 'recent' }} icon="clock" label={words.recent} />
          <NavItem to={{ view: 'mentions' }} icon="at" label={words.mentions} count={unread.mentions} />
          <NavItem to={{ view: 'starred' }} icon="star" label={words.starred} />
          {/* Tokens for rooms, which embedded panels can have, have none. */}
          {isApp && <NavItem to={{ view: 'drafts' }} icon="drafts" label={words.drafts} />}
          {me && me.role <= MODERATOR && (
            <NavItem to={{ view: 'administration', path: '' }} icon="shield" label={words.administration} />
          )}
        </ul>
        {me ? (
          <>
            <Conversations mayStart={mayStart} />
            <Channels openChannel={openChannel} mayAdd={!me.is_guest} />
          </>
        ) : (
          <Outline of="lines" />
        )}
      </div>
      <footer class="sidebar-footer">
        {me && <OwnMenu me={me} />}
        <Link to={{ view: 'people' }} class="nav-link" isCurrent={route.view === 'people'}>
          <Icon name="people" />
          <Label>{words.people}</Label>
        </Link>
        <Link to={{ view: 'settings' }} class="nav-link" isCurrent={route.view === 'settings'}>
          <Icon name="settings" />
          <Label>{words.settings}</Label>
        </Link>
      </footer>
    </nav>
  );
}

/** Values of the setting `color_scheme`. */
const [AUTOMATIC, DARK] = [1, 2];

/** The logo of the organization, or its name. Embedded panels have the logo of their page. */
function Logo(): JSX.Element {
  const { store, site } = useApp();
  const organization = useCell(store.organization);
  const scheme = useCell(store.settings)?.color_scheme;
  const urlOf = (kind: 'logo' | 'night_logo') =>
    organization?.[`realm_${kind}_source`] === 'U'
      ? new URL(organization[`realm_${kind}_url`], `${site}/`).href
      : undefined;
  const [light, dark] = [urlOf('logo'), urlOf('night_logo')];
  const shown = (scheme === DARK && dark) || light || dark;
  if (!shown) return <span class="organization-name">{organization?.realm_name}</span>;
  return (
    <picture class="organization-logo">
      {scheme === AUTOMATIC && dark && <source media="(prefers-color-scheme: dark)" srcset={dark} />}
      <img src={shown} alt={organization?.realm_name} />
    </picture>
  );
}

function NavItem({ to, icon, label, count = 0 }: { to: Route; icon: IconName; label: string; count?: number }) {
  const { route } = useRouter();
  return (
    <li>
      <Link to={to} class="nav-link" isCurrent={route.view === to.view}>
        <Icon name={icon} />
        <Label>{label}</Label>
        <Badge count={count} />
      </Link>
    </li>
  );
}

/** A heading with a button that adds to what is below it. */
function NavHeading({ text, children }: { text: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="nav-heading">
      <h2>{text}</h2>
      {children}
    </div>
  );
}

function Conversations({ mayStart }: { mayStart: boolean }): JSX.Element | null {
  const { store, words } = useApp();
  const { route, go } = useRouter();
  const conversations = useCell(store.conversations);
  const isCurrent = ({ userIds }: Conversation) => route.view === 'direct' && route.userIds.join() === userIds.join();
  if (conversations.length === 0 && !mayStart) return null;
  return (
    <>
      <NavHeading text={words.direct}>
        {mayStart && <IconButton icon="plus" label={words.newDirect} onClick={() => go({ view: 'new-message' })} />}
      </NavHeading>
      <ul class="nav-list" aria-label={words.direct}>
        <LimitedList items={conversations} first={CONVERSATIONS_AT_FIRST} isKept={isCurrent}>
          {(conversation) => (
            <ConversationLink
              key={conversation.userIds.join()}
              conversation={conversation}
              isCurrent={isCurrent(conversation)}
            />
          )}
        </LimitedList>
      </ul>
    </>
  );
}

interface ConversationLinkProps {
  conversation: Conversation;
  isCurrent: boolean;
}

function ConversationLink({ conversation, isCurrent }: ConversationLinkProps): JSX.Element {
  const { userIds, unread } = conversation;
  return (
    <li>
      <Link to={{ view: 'direct', userIds }} class={`nav-link ${unread ? 'is-unread' : ''}`} isCurrent={isCurrent}>
        <Label>
          <DirectName userIds={userIds} />
        </Label>
        <DirectIcon userIds={userIds} />
        <Badge count={unread} />
      </Link>
    </li>
  );
}

interface ChannelsProps {
  openChannel: number | undefined;
  mayAdd: boolean;
}

function Channels({ openChannel, mayAdd }: ChannelsProps): JSX.Element {
  const { store, words, formats } = useApp();
  const channels = useCell(store.channels);
  const unread = useCell(store.unread);
  const [filter, setFilter] = useState('');
  // The letters without strokes come with another part.
  const [plain, setPlain] = useState(() => (text: string) => text.toLowerCase());
  const sorted = useMemo(() => sortedChannels(channels.values(), formats.lang), [channels, formats]);
  const shown = useMemo(() => {
    const text = plain(filter.trim());
    return text ? sorted.filter(({ name }) => plain(name).includes(text)) : sorted;
  }, [sorted, filter, plain]);
  const onFilter = (text: string) => {
    setFilter(text);
    navigation().then(
      ({ plainLetters }) => setPlain(() => plainLetters),
      () => {},
    );
  };
  return (
    <>
      <NavHeading text={words.channels}>
        {mayAdd && (
          <MenuButton label={words.addChannels} face={<Icon name="plus" />}>
            {(menu) => <AddChannels {...menu} />}
          </MenuButton>
        )}
      </NavHeading>
      {sorted.length > MAX_CHANNELS_WITHOUT_FILTER && (
        <div class="nav-filter">
          <Field
            label={words.filterChannels}
            placeholder={words.filterChannels}
            type="search"
            value={filter}
            onInput={onFilter}
            isLabelHidden
          />
        </div>
      )}
      <ul class="nav-list" aria-label={words.channels}>
        <LimitedList items={shown} isKept={({ stream_id }) => stream_id === openChannel}>
          {(channel) => {
            const isOpen = channel.stream_id === openChannel;
            const counts = unread.channels.get(channel.stream_id);
            return <ChannelItem key={channel.stream_id} channel={channel} isOpen={isOpen} counts={counts} />;
          }}
        </LimitedList>
        <li>
          <Link to={{ view: 'browse-channels' }} class="nav-link nav-quiet">
            <Icon name="plus" />
            <Label>{words.browseChannels}</Label>
          </Link>
        </li>
      </ul>
    </>
  );
}

interface ChannelItemProps {
  channel: Channel;
  isOpen: boolean;
  counts: { count: number; muted: number; hasMention: boolean } | undefined;
}

function ChannelItem({ channel, isOpen, counts }: ChannelItemProps): JSX.Element {
  const { words } = useApp();
  const { route } = useRouter();
  const { stream_id: channelId, name, is_muted, pin_to_top } = channel;
  const count = counts?.count ?? 0;
  const classes = `nav-link ${is_muted ? 'is-muted' : ''} ${count ? 'is-unread' : ''}`;
  return (
    <li>
      <div class="nav-row">
        <Link to={{ view: 'channel', channelId }} class={classes} isCurrent={route.view === 'channel' && isOpen}>
          <ChannelIcon channel={channel} />
          <Label>{name}</Label>
          {pin_to_top && <Icon name="pin" />}
          {is_muted && <span class="visually-hidden">{words.muted}</span>}
          <Badge count={count || (counts?.muted ?? 0)} isQuiet={count === 0} hasMention={counts?.hasMention ?? false} />
        </Link>
        {isOpen && <ChannelMenu channel={channel} />}
      </div>
      {isOpen && <TopicList channel={channel} />}
    </li>
  );
}

function TopicList({ channel }: { channel: Channel }): JSX.Element | null {
  const { store, words } = useApp();
  const { stream_id: channelId, name } = channel;
  const { route } = useRouter();
  const topics = useCellOf(() => store.channels.topics(channelId), [store, channelId]);
  const current = route.view === 'topic' ? route.topic.toLowerCase() : undefined;
  const isCurrent = (topic: Topic) => topic.name.toLowerCase() === current;
  if (topics.length === 0) return null;
  return (
    <ul class="nav-list nav-topics" aria-label={words.topicsOf(name)}>
      <LimitedList items={topics} first={TOPICS_AT_FIRST} isKept={isCurrent}>
        {(topic) => (
          <TopicLink key={topic.name.toLowerCase()} channelId={channelId} topic={topic} isCurrent={isCurrent(topic)} />
        )}
      </LimitedList>
    </ul>
  );
}

const MUTED = 1;

interface TopicLinkProps {
  channelId: number;
  topic: Topic;
  isCurrent: boolean;
}

function TopicLink({ channelId, topic, isCurrent }: TopicLinkProps): JSX.Element {
  const isMuted = topic.visibilityPolicy === MUTED;
  const classes = `nav-link ${isMuted ? 'is-muted' : ''} ${topic.unread && !isMuted ? 'is-unread' : ''}`;
  return (
    <li>
      <Link to={{ view: 'topic', channelId, topic: topic.name }} class={classes} isCurrent={isCurrent}>
        <Label>
          <TopicName topic={topic.name} />
        </Label>
        <Badge count={topic.unread} isQuiet={isMuted} hasMention={topic.hasMention} />
      </Link>
    </li>
  );
}
