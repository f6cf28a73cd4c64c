/** How conversations and topics are named in lists, headings and the title of the page. */
import type { ComponentChildren, JSX } from 'preact';
import type { Channel } from '../../client/store/types.ts';
import { useCellOf, usePanel, usePeople } from '../context.ts';
import { Icon } from '../icons.tsx';
import { peopleNames, topicName } from '../messages/places.ts';
import { PresenceMark } from '../messages/presence-mark.tsx';
import { useApp } from '../words/app-words.ts';

/** Names of more users are not fetched for one label. */
const MAX_NAMES = 20;

/** The names of the participants, or the name of the view of notes to oneself. */
export function useDirectName(userIds: readonly number[]): string {
  const panel = useApp();
  return peopleNames(usePeople(userIds.slice(0, MAX_NAMES)), panel);
}

export function DirectName({ userIds }: { userIds: readonly number[] }): JSX.Element {
  return <>{useDirectName(userIds)}</>;
}

export function useTopicName(topic: string): string {
  const { words } = useApp();
  return topicName(topic, words);
}

export function TopicName({ topic }: { topic: string }): JSX.Element {
  const name = useTopicName(topic);
  return <span class={topic === '' ? 'topic-name topic-empty' : 'topic-name'}>{name}</span>;
}

/** A `#`, or a lock for private channels. */
export function ChannelIcon({ channel }: { channel: Pick<Channel, 'invite_only'> | undefined }): JSX.Element {
  const { words } = useApp();
  return channel?.invite_only ? (
    <>
      <Icon name="lock" />
      <span class="visually-hidden">{words.private} </span>
    </>
  ) : (
    <Icon name="hash" />
  );
}

/** A dot for the presence of a user, with a text for screen readers. Bots have none. */
export function PresenceDot({ userId }: { userId: number }): JSX.Element | null {
  const { store } = usePanel();
  const presence = useCellOf(() => store.activity.presence(userId), [store, userId]);
  const [person] = usePeople([userId]);
  if (presence === 'unknown' || person?.is_bot) return null;
  return <PresenceMark presence={presence} />;
}

/** Shows the presence of a single other user. Put it after the name: the style sheet moves it to the front. */
export function DirectIcon({ userIds }: { userIds: readonly number[] }): JSX.Element {
  const [only] = userIds;
  return (
    <span class="nav-icon">
      <Icon name={userIds.length > 1 ? 'people' : 'direct'} />
      {only !== undefined && userIds.length === 1 && <PresenceDot userId={only} />}
    </span>
  );
}

/** A label that ends with dots where it does not fit, next to icons and counts that stay whole. */
export function Label({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <span class="label" dir="auto">
      {children}
    </span>
  );
}
