/** Conversations and topics with unread messages, with the newest of them. */

import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { termsOf } from '../../client/store/places.ts';
import type { Conversation } from '../../client/store/types.ts';
import { Button, IconButton } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Icon } from '../icons.tsx';
import { Outline } from '../outline.tsx';
import { addStyles } from '../style-sheets.ts';
import { useOverviewWords } from '../words/overview-words.ts';
import { ChannelMenu } from './channel-menu.tsx';
import { Badge, LimitedList, useLimited } from './controls.tsx';
import { type InboxChannel, type InboxTopic, inboxOf, sortedChannels } from './inbox-model.ts';
import { RowText, useMessage, useRowKeys } from './last-words.tsx';
import { useMarkRead } from './marking.ts';
import { useNewest } from './newest.ts';
import overview from './overview.css';
import { ChannelIcon, DirectIcon, DirectName, Label, TopicName, useDirectName, useTopicName } from './place-names.tsx';
import { Link } from './router.tsx';
import type { Route } from './routes.ts';
import { TopicMenu } from './topic-menu.tsx';
import { ViewHeader } from './view-header.tsx';

addStyles(overview);

/** Whether the newest messages are there: the others are fetched by ID. */
const HasNewestContext = createContext(false);

export function InboxPage(): JSX.Element {
  const { store, words, formats } = useOverviewWords();
  const page = useRowKeys();
  const mark = useMarkRead();
  const { loading } = useCell(useNewest().state);
  const unread = useCell(store.unread);
  const channels = useCell(store.channels);
  const conversations = useCell(store.conversations);
  const sorted = useMemo(() => sortedChannels(channels.values(), formats.lang), [channels, formats]);
  const inbox = useMemo(() => inboxOf(unread, sorted, conversations), [unread, sorted, conversations]);
  const isStarting = useCell(store.status).state === 'starting';
  const isEmpty = inbox.direct.length === 0 && inbox.channels.length === 0;
  const { shown: groups, more } = useLimited(inbox.channels, 50);
  return (
    <HasNewestContext.Provider value={loading !== 'first'}>
      <ViewHeader title={words.inbox} icon="inbox">
        {!isEmpty && (
          <Button onClick={() => mark(() => store.session.messages.markAllRead(), { hasUndo: true })}>
            {words.markAllRead}
          </Button>
        )}
      </ViewHeader>
      <div ref={page} class="page inbox" aria-busy={isStarting}>
        {unread.isPartial && <p class="muted">{words.inboxPartial}</p>}
        {isEmpty && isStarting && <Outline of="people" />}
        {isEmpty && !isStarting && (
          <div class="empty">
            <Icon name="check" />
            <p>{words.inboxEmpty}</p>
            <p class="muted">{words.inboxEmptyHint}</p>
          </div>
        )}
        {inbox.direct.length > 0 && (
          <Group name={words.direct} lead={<Icon name="direct" />} count={unread.direct}>
            <LimitedList items={inbox.direct} first={50}>
              {(conversation) => <DirectRow key={conversation.userIds.join()} conversation={conversation} />}
            </LimitedList>
          </Group>
        )}
        {groups.map((group) => (
          <ChannelGroup key={group.channel.stream_id} group={group} />
        ))}
        {more}
      </div>
    </HasNewestContext.Provider>
  );
}

function ChannelGroup({ group: { channel, count, topics } }: { group: InboxChannel }): JSX.Element {
  const to = { view: 'channel', channelId: channel.stream_id } as const;
  return (
    <Group
      name={channel.name}
      to={to}
      lead={<ChannelIcon channel={channel} />}
      count={count}
      menu={<ChannelMenu channel={channel} />}
    >
      <LimitedList items={topics} first={50}>
        {(topic) => <TopicRow key={topic.name.toLowerCase()} channelId={channel.stream_id} topic={topic} />}
      </LimitedList>
    </Group>
  );
}

interface GroupProps {
  name: string;
  lead: ComponentChildren;
  count: number;
  to?: { view: 'channel'; channelId: number };
  menu?: ComponentChildren;
  children: ComponentChildren;
}

function Group({ name, lead, count, to, menu, children }: GroupProps): JSX.Element {
  const { words } = useOverviewWords();
  const [isOpen, setOpen] = useState(true);
  return (
    <section class={`inbox-group ${isOpen ? '' : 'is-collapsed'}`} aria-label={name}>
      <header class="inbox-group-header">
        <button
          type="button"
          class="icon-button collapse"
          aria-expanded={isOpen}
          aria-label={isOpen ? words.collapse(name) : words.expand(name)}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="chevron" />
        </button>
        <h2>
          {to ? (
            <Link to={to} class="inbox-group-link">
              {lead}
              <Label>{name}</Label>
            </Link>
          ) : (
            <span class="inbox-group-link">
              {lead}
              <Label>{name}</Label>
            </span>
          )}
        </h2>
        <Badge count={count} />
        <span class="icon-button spacer" aria-hidden="true" />
        {menu}
      </header>
      {isOpen && <ul class="rows">{children}</ul>}
    </section>
  );
}

function DirectRow({ conversation }: { conversation: Conversation }): JSX.Element {
  const { userIds, unread, lastMessageId } = conversation;
  const { store } = useOverviewWords();
  const name = useDirectName(userIds);
  const markRead = async () => {
    const { found_newest } = await store.session.messages.updateFlagsNarrow({
      narrow: [...termsOf({ userIds }, store.me.get()?.user_id ?? 0), ['is', 'unread']],
      anchor: 'oldest',
      num_before: 0,
      num_after: 5000,
      include_anchor: true,
      op: 'add',
      flag: 'read',
    });
    return { complete: found_newest };
  };
  return (
    <li class="inbox-row">
      <RowLink
        to={{ view: 'direct', userIds }}
        newest={lastMessageId}
        count={unread}
        icon={<DirectIcon userIds={userIds} />}
      >
        <DirectName userIds={userIds} />
      </RowLink>
      <MarkRead name={name} markRead={markRead} />
    </li>
  );
}

function TopicRow({ channelId, topic }: { channelId: number; topic: InboxTopic }): JSX.Element {
  const { store } = useOverviewWords();
  const name = useTopicName(topic.name);
  const markRead = () => store.session.messages.markTopicRead({ stream_id: channelId, topic_name: topic.name });
  return (
    <li class="inbox-row">
      <RowLink
        to={{ view: 'topic', channelId, topic: topic.name }}
        newest={topic.newest}
        count={topic.count}
        hasMention={topic.hasMention}
      >
        <TopicName topic={topic.name} />
      </RowLink>
      <MarkRead name={name} markRead={markRead} />
      <TopicMenu channelId={channelId} topic={topic.name} />
    </li>
  );
}

interface RowLinkProps {
  to: Route;
  newest: number;
  count: number;
  hasMention?: boolean;
  icon?: ComponentChildren;
  /** The name. */
  children: ComponentChildren;
}

function RowLink({ to, newest, count, hasMention, icon, children }: RowLinkProps): JSX.Element {
  const message = useMessage(newest, useContext(HasNewestContext));
  return (
    <Link to={to} class="row-link">
      <RowText message={message}>{children}</RowText>
      {icon}
      <Badge count={count} {...(hasMention && { hasMention })} />
    </Link>
  );
}

function MarkRead({ name, markRead }: { name: string; markRead(): Promise<object> }): JSX.Element {
  const { words } = useOverviewWords();
  const mark = useMarkRead();
  return <IconButton icon="check" label={`${words.markRead}: ${name}`} onClick={() => mark(markRead)} />;
}
