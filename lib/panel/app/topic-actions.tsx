/** Actions of a topic: read, mute, follow, resolve, move. */

import type { JSX } from 'preact';
import type { Topic } from '../../client/store/types.ts';
import { useCellOf } from '../context.ts';
import { useApp } from '../words/app-words.ts';
import type { OpenMenu } from './controls.tsx';
import { useMay, useReport } from './hooks.ts';
import { useMarkRead } from './marking.ts';
import { MenuItem, MenuPopover } from './menu.tsx';
import { useCopyLink } from './share-link.tsx';

const POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
type Policy = (typeof POLICY)[keyof typeof POLICY];

const RESOLVED = '✔ ';

export interface TopicActionsProps extends OpenMenu {
  channelId: number;
  topic: string;
}

export function TopicActions({ channelId, topic, ...menu }: TopicActionsProps): JSX.Element {
  const { store, words } = useApp();
  const { session } = store;
  const report = useReport();
  const mark = useMarkRead();
  const copyLink = useCopyLink();
  const topics = useCellOf(() => store.channels.topics(channelId), [store, channelId]);
  const known = topics.find(({ name }) => name.toLowerCase() === topic.toLowerCase());
  const channel = store.channels.get().get(channelId);
  const policy = known?.visibilityPolicy ?? POLICY.none;
  const isMuted = policy === POLICY.muted || (policy === POLICY.none && channel?.is_muted === true);
  const setPolicy = (visibility_policy: Policy) => () =>
    report(session.userTopics.set({ stream_id: channelId, topic, visibility_policy }));
  const markRead = () => mark(() => session.messages.markTopicRead({ stream_id: channelId, topic_name: topic }));
  // In a muted channel, a topic without a policy is muted.
  const withoutMute = channel?.is_muted ? POLICY.unmuted : POLICY.none;
  return (
    <MenuPopover {...menu}>
      <MenuItem onClick={markRead}>{words.markRead}</MenuItem>
      {isMuted ? (
        <MenuItem onClick={setPolicy(withoutMute)}>{words.unmuteTopic}</MenuItem>
      ) : (
        <MenuItem onClick={setPolicy(channel?.is_muted ? POLICY.none : POLICY.muted)}>{words.muteTopic}</MenuItem>
      )}
      {policy === POLICY.followed ? (
        <MenuItem onClick={setPolicy(POLICY.none)}>{words.unfollowTopic}</MenuItem>
      ) : (
        <MenuItem onClick={setPolicy(POLICY.followed)}>{words.followTopic}</MenuItem>
      )}
      <MenuItem onClick={() => copyLink({ view: 'topic', channelId, topic })}>{words.copyLink}</MenuItem>
      {known && <MoveItems topic={known} />}
    </MenuPopover>
  );
}

function MoveItems({ topic }: { topic: Topic }): JSX.Element | null {
  const { store, words } = useApp();
  const report = useReport();
  const isResolved = topic.name.startsWith(RESOLVED);
  const renamed = isResolved ? topic.name.slice(RESOLVED.length) : RESOLVED + topic.name;
  const move = { message_id: topic.lastMessageId, topic: renamed, propagate_mode: 'change_all' as const };
  const may = useMay('messages.edit', topic.name === '' ? undefined : move);
  if (!may) return null;
  return (
    <MenuItem onClick={() => report(store.session.messages.edit(move))}>
      {isResolved ? words.unresolveTopic : words.resolveTopic}
    </MenuItem>
  );
}
