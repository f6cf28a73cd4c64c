/** Muted users and topics, to unmute them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useCell, usePanel } from '../context.ts';
import { usePeople } from '../messages/people.ts';
import { Button, ErrorText, LimitedList } from './controls.tsx';
import { useAction, useFetched } from './hooks.ts';
import { Label, useTopicName } from './place-names.tsx';
import { Section } from './settings-section.tsx';

/** The names of more muted users are not fetched. */
const MAX_SHOWN = 100;
const MUTED = 1;

export function MutedSettings(): JSX.Element {
  const { words } = usePanel();
  return (
    <>
      <Section title={words.mutedUsers}>
        <MutedUsers />
      </Section>
      <Section title={words.mutedTopics}>
        <MutedTopics />
      </Section>
    </>
  );
}

function MutedUsers(): JSX.Element {
  const { store, words } = usePanel();
  const ids = [...useCell(store.mutedUsers)].slice(0, MAX_SHOWN);
  const people = usePeople(ids);
  const action = useAction();
  if (ids.length === 0) return <p class="muted">{words.noneMuted}</p>;
  return (
    <ul class="rows">
      {ids.map((id, index) => (
        <Row
          key={id}
          name={people[index]?.full_name ?? '…'}
          onUnmute={() => action.run(() => store.session.mutedUsers.remove({ muted_user_id: id }))}
        />
      ))}
      <ErrorText action={action} />
    </ul>
  );
}

function MutedTopics(): JSX.Element {
  const { store, words } = usePanel();
  const [version, setVersion] = useState(0);
  const action = useAction();
  const found = useFetched(async () => {
    const { user_topics } = await store.session.userTopics.list({ allow_empty_topic_name: true });
    return user_topics.filter(({ visibility_policy }) => visibility_policy === MUTED);
  }, [version]);
  const unmute = async (stream_id: number, topic: string) => {
    if (await action.run(() => store.session.userTopics.set({ stream_id, topic, visibility_policy: 0 })))
      setVersion(version + 1);
  };
  if (found.value?.length === 0) return <p class="muted">{words.noneMuted}</p>;
  return (
    <>
      <ErrorText action={found} />
      <ErrorText action={action} />
      <ul class="rows">
        <LimitedList items={found.value ?? []}>
          {({ stream_id, topic_name }) => (
            <MutedTopic
              key={`${stream_id} ${topic_name}`}
              channelId={stream_id}
              topic={topic_name}
              onUnmute={() => unmute(stream_id, topic_name)}
            />
          )}
        </LimitedList>
      </ul>
    </>
  );
}

function MutedTopic(props: { channelId: number; topic: string; onUnmute(): void }): JSX.Element {
  const { store } = usePanel();
  const channel = useCell(store.channels).get(props.channelId);
  const topic = useTopicName(props.topic);
  return <Row name={channel ? `#${channel.name} › ${topic}` : topic} onUnmute={props.onUnmute} />;
}

function Row({ name, onUnmute }: { name: string; onUnmute(): void }): JSX.Element {
  const { words } = usePanel();
  return (
    <li class="person-line">
      <Label>{name}</Label>
      <Button onClick={onUnmute}>
        {words.unmute}
        <span class="visually-hidden"> {name}</span>
      </Button>
    </li>
  );
}
