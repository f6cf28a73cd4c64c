/** Actions of a channel, and the dialog with its subscribers. What the server would refuse is not shown. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel, Person } from '../../client/store/types.ts';
import { ErrorText } from '../buttons.tsx';
import { usePanel, usePeople } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { ChannelSettings } from './channel-settings.tsx';
import { Menu, MenuItem, useLimited } from './controls.tsx';
import { UNUSED_NAME, useAction, useFetched, useMay, useReport } from './hooks.ts';
import { useMarkRead } from './marking.ts';
import { PersonLine, PersonSearch } from './person-search.tsx';

export function ChannelMenu({ channel }: { channel: Channel }): JSX.Element {
  const { words } = usePanel();
  const [dialog, setDialog] = useState<'settings' | 'members'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu label={words.moreOf(`#${channel.name}`)} items={() => <Items channel={channel} open={setDialog} />} />
      {dialog === 'settings' && <ChannelSettings channel={channel} onClose={close} />}
      {dialog === 'members' && <ChannelMembers channel={channel} onClose={close} />}
    </>
  );
}

function Items({ channel, open }: { channel: Channel; open(dialog: 'settings' | 'members'): void }): JSX.Element {
  const { store, words } = usePanel();
  const { session } = store;
  const report = useReport();
  const mark = useMarkRead();
  const { stream_id, name, is_subscribed, is_archived } = channel;
  const mayEdit = useMay('channels.edit', { stream_id, new_name: UNUSED_NAME });
  const set = (property: 'is_muted' | 'pin_to_top', value: boolean) => () =>
    report(session.subscriptions.updateProperties({ subscription_data: [{ stream_id, property, value }] }));
  const markRead = () => mark(() => session.messages.markChannelRead({ stream_id }));
  return (
    <>
      {is_subscribed && <MenuItem onClick={markRead}>{words.markRead}</MenuItem>}
      {is_subscribed && (
        <MenuItem onClick={set('is_muted', !channel.is_muted)}>
          {channel.is_muted ? words.unmuteChannel : words.muteChannel}
        </MenuItem>
      )}
      {is_subscribed && (
        <MenuItem onClick={set('pin_to_top', !channel.pin_to_top)}>
          {channel.pin_to_top ? words.unpinChannel : words.pinChannel}
        </MenuItem>
      )}
      <MenuItem onClick={() => open('members')}>{words.channelMembers}</MenuItem>
      {mayEdit && <MenuItem onClick={() => open('settings')}>{words.channelSettings}</MenuItem>}
      {is_subscribed ? (
        <MenuItem onClick={() => report(session.subscriptions.remove({ subscriptions: [name] }))}>
          {words.unsubscribe}
        </MenuItem>
      ) : (
        !is_archived && (
          <MenuItem onClick={() => report(session.subscriptions.add({ subscriptions: [{ name }] }))}>
            {words.subscribe}
          </MenuItem>
        )
      )}
    </>
  );
}

// The subscribers of a channel, and a search for users to subscribe.

/** The names of so many are fetched at once. */
const NAMES_PER_FETCH = 50;

function ChannelMembers({ channel, onClose }: { channel: Channel; onClose(): void }): JSX.Element {
  const { store, words } = usePanel();
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
  const { store, words, announce } = usePanel();
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
        label={words.invitePeople}
        isHidden={({ user_id }) => members.includes(user_id)}
        actionLabel={() => words.invite}
        onChoose={invite}
      />
      <ErrorText action={action} />
    </>
  );
}
