/** Actions of a channel. What the server would refuse is not shown. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel } from '../../client/store/types.ts';
import { UNUSED_NAME } from '../refusal.ts';
import { useApp } from '../words/app-words.ts';
import { Menu, MenuItem } from './controls.tsx';
import { useMay, useReport } from './hooks.ts';
import { useMarkRead } from './marking.ts';
import { ChannelMembers, ChannelSettings } from './parts.ts';

export function ChannelMenu({ channel }: { channel: Channel }): JSX.Element {
  const { words } = useApp();
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
  const { store, words } = useApp();
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
