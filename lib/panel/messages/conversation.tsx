/** A list of messages with its heading and, where one can write, the composer. */

import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { Message, Narrow } from '../../client/store/types.ts';
import { IconButton } from '../buttons.tsx';
import { useCell, usePanel, usePeople } from '../context.ts';
import { Icon } from '../icons.tsx';
import { Answer, Composer, TypingNames } from '../parts.ts';
import { reasonOf } from '../reasons.ts';
import { MessageListView } from './list.tsx';
import { FailureContext } from './list-context.ts';
import { channelName, isPlace, isWithoutTopics, peopleNames, placesKey, topicName } from './places.ts';

interface ConversationProps {
  narrow: Narrow;
  at?: 'first_unread' | 'newest' | number;
  /** Before the name: a button that leads back, for example. */
  leading?: ComponentChildren;
  /** Whether the composer gets the focus. */
  toWrite?: boolean;
  /** Replaces the composer in a list of several conversations. */
  starter?: ComponentChildren;
}

export function Conversation(props: ConversationProps): VNode {
  const { narrow, at = 'first_unread', leading, toWrite = false, starter } = props;
  const { words, announce, hidden, isReadonly, dispatch } = usePanel();
  const [failure, setFailure] = useState<Error>();
  const failed = useCallback((error: unknown) => {
    const shown = error instanceof Error ? error : new Error(String(error));
    setFailure(shown);
    announce(words.actionFailed(reasonOf(shown, words)));
    dispatch('parlance-error', { error: shown });
  }, []);
  const [answered, setAnswered] = useState<Pick<Message, 'id' | 'place'>>();
  const name = useName(narrow);
  const label = [name.title, name.topic].filter(Boolean).join(' › ');
  return (
    <FailureContext.Provider value={failed}>
      <section class="conversation" part="conversation" aria-label={label}>
        {!hidden.has('header') && <Header name={name} leading={leading} />}
        <ChannelNotice narrow={narrow} />
        <MessageListView
          key={placesKey(narrow)}
          {...{ narrow, at, label }}
          onAnswer={starter ? setAnswered : undefined}
        />
        {isPlace(narrow) && !hidden.has('typing') && (
          <p class="typing-line muted" part="typing">
            <TypingNames key={placesKey(narrow)} place={narrow} />
          </p>
        )}
        {failure && (
          <div class="failure" part="failure">
            <p>{words.actionFailed(reasonOf(failure, words))}</p>
            <IconButton icon="close" label={words.close} onClick={() => setFailure(undefined)} />
          </div>
        )}
        {!isReadonly &&
          !hidden.has('composer') &&
          (isPlace(narrow) ? (
            <div class="composer-place">
              <Composer
                place={narrow}
                label={words.messageTo(label)}
                placeholder={words.writeTo('topic' in narrow ? `#${label}` : label)}
                isFocused={toWrite}
              />
            </div>
          ) : answered ? (
            <Answer key={answered.id} message={answered} title={name.title} onClose={() => setAnswered(undefined)} />
          ) : (
            starter
          ))}
      </section>
    </FailureContext.Provider>
  );
}

function Header({ name: { icon, title, topic }, leading }: { name: Name; leading: ComponentChildren }): VNode {
  return (
    <slot name="header">
      <header class="conversation-header" part="header">
        {leading}
        <h1>
          <span class="title">
            {icon && <Icon name={icon} />}
            <span>{title}</span>
          </span>
          {topic && (
            <span class="topic">
              <span aria-hidden="true">›</span> {topic}
            </span>
          )}
        </h1>
      </header>
    </slot>
  );
}

interface Name {
  readonly icon?: 'hash' | 'lock' | 'people' | 'star' | 'search';
  readonly title: string;
  readonly topic?: string | false;
}

function useName(narrow: Narrow): Name {
  const panel = usePanel();
  const { store, words } = panel;
  const channels = useCell(store.channels);
  const people = usePeople('userIds' in narrow ? narrow.userIds : []);
  if ('userIds' in narrow) return { icon: 'people', title: peopleNames(people, panel) };
  if ('search' in narrow) return { icon: 'search', title: words.searchResults };
  if ('view' in narrow) {
    if (narrow.view === 'starred') return { icon: 'star', title: words.starred };
    return { title: narrow.view === 'mentions' ? words.mentions : words.allMessages };
  }
  const channel = channels.get(narrow.channelId);
  return {
    icon: channel?.invite_only ? 'lock' : 'hash',
    title: channelName(channels, narrow.channelId),
    topic: 'topic' in narrow && !isWithoutTopics(channel) && topicName(narrow.topic, words),
  };
}

/** Says why messages may be missing here. */
function ChannelNotice({ narrow }: { narrow: Narrow }): VNode | null {
  const { store, words, isReadonly } = usePanel();
  const channels = useCell(store.channels);
  const channel = 'channelId' in narrow ? channels.get(narrow.channelId) : undefined;
  if (!channel || (channel.is_subscribed && !channel.is_archived)) return null;
  // In place of its composer, a topic says the same.
  if (channel.is_archived && isPlace(narrow) && !isReadonly) return null;
  return <p class="channel-notice">{channel.is_archived ? words.archived : words.unsubscribed}</p>;
}
