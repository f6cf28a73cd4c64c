/** Conversations by their newest message, with their participants. */

import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { topicKey } from '../../client/store/places.ts';
import type { MessageList, Place, UnreadCounts } from '../../client/store/types.ts';
import { Button } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Avatar } from '../messages/avatar.tsx';
import { channelName } from '../messages/places.ts';
import { Outline } from '../outline.tsx';
import { reasonOf } from '../reasons.ts';
import { addStyles } from '../style-sheets.ts';
import { useOverviewWords } from '../words/overview-words.ts';
import { Badge, LimitedList } from './controls.tsx';
import { RowText, useRowKeys } from './last-words.tsx';
import { useNewest } from './newest.ts';
import overview from './overview.css';
import { ChannelIcon, DirectIcon, DirectName, TopicName } from './place-names.tsx';
import { type RecentConversation, recentConversations } from './recent-model.ts';
import { Link } from './router.tsx';
import type { Route } from './routes.ts';
import { ViewHeader } from './view-header.tsx';

addStyles(overview);

/** Messages that are fetched at first, and with each step. */
const STEP = 400;
const MAX_MESSAGES = 2000;
const MAX_PICTURES = 4;
/** More names are not listed. */
const MAX_NAMES = 10;

export function RecentPage(): JSX.Element {
  const { store, words } = useOverviewWords();
  const page = useRowKeys();
  const list = useNewest(MAX_MESSAGES);
  const { messages, hasOldest, loading, error } = useCell(list.state);
  const { wanted, setWanted } = useWanted(list);
  const channels = useCell(store.channels);
  const mutedUsers = useCell(store.mutedUsers);
  const unread = useCell(store.unread);
  const recent = useMemo(
    () =>
      recentConversations(messages, { channels, mutedUsers, policy: (...topic) => store.channels.policy(...topic) }),
    // The policies of topics change the counts.
    [messages, channels, mutedUsers, unread],
  );
  const isEnd = messages.length >= MAX_MESSAGES || (messages.length < wanted && loading === 'none');
  return (
    <>
      <ViewHeader title={words.recent} icon="clock" />
      <div ref={page} class="page recent" aria-busy={loading !== 'none'}>
        {recent.length === 0 && loading === 'none' && !error && <p class="empty muted">{words.recentEmpty}</p>}
        {recent.length === 0 && loading !== 'none' && <Outline of="people" />}
        <ul class="rows">
          <LimitedList items={recent} first={50}>
            {(conversation) => (
              <RecentRow
                key={conversation.key}
                conversation={conversation}
                unread={unreadIn(conversation.place, unread)}
              />
            )}
          </LimitedList>
        </ul>
        {error && (
          <p class="error-text">
            {words.loadFailed} {reasonOf(error, words)}{' '}
            <button type="button" class="link-button" onClick={() => void list.older(STEP)}>
              {words.retry}
            </button>
          </p>
        )}
        {recent.length > 0 && !hasOldest && !error && (
          <div class="form-actions">
            {isEnd ? (
              <p class="muted">{words.recentEnd}</p>
            ) : (
              <Button isDisabled={loading !== 'none'} onClick={() => setWanted(messages.length + STEP)}>
                {words.recentOlder}
              </Button>
            )}
          </div>
        )}
      </div>
    </>
  );
}

/** Fetches until the list has the number of messages that the reader wants. */
function useWanted(list: MessageList) {
  const [wanted, setWanted] = useState(STEP);
  const state = useCell(list.state);
  const { messages, hasOldest, loading, error } = state;
  const tried = useRef('');
  useEffect(() => {
    if (loading !== 'none' || error || hasOldest || messages.length >= wanted) return;
    // A list leaves out messages of channels that the user has left. Without another one, the same fetch is of no use.
    const attempt = `${messages[0]?.id} ${wanted}`;
    if (attempt !== tried.current) void list.older(STEP);
    tried.current = attempt;
  }, [list, state, wanted]);
  return { wanted, setWanted };
}

function unreadIn(place: Place, unread: UnreadCounts): { count: number; hasMention: boolean } {
  if (!('topic' in place)) return { count: unread.conversations.get(place.userIds.join()) ?? 0, hasMention: false };
  const found = unread.channels.get(place.channelId)?.topics.get(topicKey(place.topic));
  return found ?? { count: 0, hasMention: false };
}

interface RecentRowProps {
  conversation: RecentConversation;
  unread: { count: number; hasMention: boolean };
}

function RecentRow({ conversation: { place, last, participants }, unread }: RecentRowProps): JSX.Element {
  const { store } = useOverviewWords();
  const channels = useCell(store.channels);
  const to: Route = 'topic' in place ? { view: 'topic', ...place } : { view: 'direct', userIds: place.userIds };
  const channel = 'topic' in place ? channels.get(place.channelId) : undefined;
  return (
    <li class={`recent-row ${unread.count ? 'is-unread' : ''}`}>
      <Link to={to} class="row-link">
        <RowText message={last}>
          {'topic' in place ? <TopicName topic={place.topic} /> : <DirectName userIds={place.userIds} />}
          {'topic' in place && <span class="muted row-channel"> #{channelName(channels, place.channelId)}</span>}
        </RowText>
        {'topic' in place ? (
          <span class="nav-icon">
            <ChannelIcon channel={channel} />
          </span>
        ) : (
          <DirectIcon userIds={place.userIds} />
        )}
        <Participants participants={participants} />
        <span class="row-count">
          <Badge {...unread} />
        </span>
      </Link>
    </li>
  );
}

function Participants({ participants }: Pick<RecentConversation, 'participants'>): JSX.Element {
  const { words, formats } = useOverviewWords();
  const names = participants.slice(0, MAX_NAMES).map(({ sender_full_name }) => sender_full_name);
  if (participants.length > MAX_NAMES) names.push(words.others(participants.length - MAX_NAMES));
  const label = words.participants(formats.list(names));
  const more = participants.length - MAX_PICTURES;
  return (
    <span class="participants" title={label}>
      <span class="visually-hidden">{label}</span>
      {participants.slice(0, MAX_PICTURES).map(({ sender_id, sender_full_name, avatar_url }) => (
        <Avatar key={sender_id} userId={sender_id} name={sender_full_name} url={avatar_url} />
      ))}
      {more > 0 && <span aria-hidden="true">+{formats.number(more)}</span>}
    </span>
  );
}
