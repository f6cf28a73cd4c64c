/** Actions of a topic: read, mute, follow, resolve, move. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Topic } from '../../client/store/types.ts';
import { Button, Form } from '../buttons.tsx';
import { Refused } from '../composer/composer.tsx';
import { useCell, useCellOf, usePanel } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { isWithoutTopics } from '../messages/places.ts';
import { Field, Menu, MenuItem } from './controls.tsx';
import { UNUSED_NAME, useMay, useOpen, useRefusal, useReport } from './hooks.ts';
import { useMarkRead } from './marking.ts';
import { useTopicName } from './place-names.tsx';

const POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;
type Policy = (typeof POLICY)[keyof typeof POLICY];

const RESOLVED = '✔ ';

interface TopicMenuProps {
  channelId: number;
  topic: string;
}

export function TopicMenu({ channelId, topic }: TopicMenuProps): JSX.Element {
  const { words } = usePanel();
  const name = useTopicName(topic);
  return <Menu label={words.moreOf(name)} items={() => <Items channelId={channelId} topic={topic} />} />;
}

function Items({ channelId, topic }: TopicMenuProps): JSX.Element {
  const { store, words } = usePanel();
  const { session } = store;
  const report = useReport();
  const mark = useMarkRead();
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
    <>
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
      {known && <MoveItems topic={known} />}
    </>
  );
}

function MoveItems({ topic }: { topic: Topic }): JSX.Element | null {
  const { store, words } = usePanel();
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

// Opens a topic that may not exist yet.

export function NewTopic({ channelId }: { channelId: number }): JSX.Element | null {
  const { store, words, navigate } = usePanel();
  const organization = useCell(store.organization);
  const channels = useCell(store.channels);
  const dialog = useOpen();
  const [topic, setTopic] = useState('');
  const openTopic = () => {
    dialog.close();
    navigate({ narrow: { channelId, topic: topic.trim() }, toWrite: true });
  };
  const channel = channels.get(channelId);
  const hasNoTopics = isWithoutTopics(channel);
  const refusal = useRefusal({ channelId, topic: hasNoTopics ? '' : UNUSED_NAME });
  if (refusal !== undefined && !channel?.is_archived) return <Refused reason={refusal} />;
  if (channel?.is_archived !== false) return null;
  return (
    <>
      <div class="composer" part="composer">
        <Button onClick={hasNoTopics ? openTopic : dialog.open}>
          <Icon name="plus" /> {hasNoTopics ? words.writeMessage : words.newTopic}
        </Button>
      </div>
      {dialog.isOpen && (
        <Dialog title={words.newTopic} onClose={dialog.close}>
          <Form onSubmit={openTopic}>
            <Field
              label={words.topic}
              isFocused
              value={topic}
              onInput={setTopic}
              maxLength={organization?.max_topic_length ?? 60}
            />
            <div class="form-actions">
              <Button kind="primary" isSubmit>
                {words.openTopic}
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  );
}
