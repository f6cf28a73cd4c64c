/** The subscribers of a channel, and a search for users to subscribe. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel, Person } from '../../client/store/types.ts';
import { ErrorText } from '../buttons.tsx';
import { usePeople } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { useFetched } from '../refusal.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { useLimited } from './controls.tsx';
import { useAction, useMay } from './hooks.ts';
import { PersonLine, PersonSearch } from './person-search.tsx';

/** The names of so many are fetched at once. */
const NAMES_PER_FETCH = 50;

export function ChannelMembers({ channel, onClose }: { channel: Channel; onClose(): void }): JSX.Element {
  const { store, words } = usePeopleWords();
  const { stream_id, name } = channel;
  const [version, setVersion] = useState(0);
  const subscribers = useFetched(
    async () => (await store.session.channels.subscribers({ stream_id })).subscribers,
    [stream_id, version],
  );
  const other = useFetched(async () => {
    const isOther = (id: number) => id !== store.me.get()?.user_id;
    return (
      subscribers.value?.find(isOther) ?? (await store.people.search('')).map((user) => user.user_id).find(isOther)
    );
  }, [subscribers.value]);
  // Permission to subscribe others does not depend on who they are.
  const invitation = other.value !== undefined && { subscriptions: [{ name }], principals: [other.value] };
  const mayInvite = useMay('subscriptions.add', invitation);
  return (
    <Dialog title={`${words.channelMembers}: #${name}`} onClose={onClose}>
      {mayInvite && !channel.is_archived && (
        <Invite channel={channel} members={subscribers.value ?? []} onInvited={() => setVersion(version + 1)} />
      )}
      <ErrorText action={subscribers} />
      {subscribers.value && <p class="muted">{words.subscriberCount(subscribers.value.length)}</p>}
      {subscribers.value && <Members ids={subscribers.value} />}
    </Dialog>
  );
}

function Members({ ids }: { ids: readonly number[] }): JSX.Element {
  const { shown, more } = useLimited(ids, NAMES_PER_FETCH);
  const people = usePeople(shown);
  return (
    <>
      <ul class="rows">
        {shown.map((id, index) => (
          <PersonLine key={id} person={people[index] ?? { user_id: id, full_name: '…' }} />
        ))}
      </ul>
      {more}
    </>
  );
}

interface InviteProps {
  channel: Channel;
  members: readonly number[];
  onInvited(): void;
}

function Invite({ channel, members, onInvited }: InviteProps): JSX.Element {
  const { store, words, announce } = usePeopleWords();
  const action = useAction();
  const invite = async ({ user_id, full_name }: Person) => {
    const { name } = channel;
    const isDone = await action.run(() =>
      store.session.subscriptions.add({ subscriptions: [{ name }], principals: [user_id] }),
    );
    if (!isDone) return;
    announce(words.invited(full_name));
    onInvited();
  };
  return (
    <>
      <PersonSearch
        label={words.addPeople}
        isHidden={({ user_id }) => members.includes(user_id)}
        actionLabel={() => words.add}
        onChoose={invite}
      />
      <ErrorText action={action} />
    </>
  );
}
