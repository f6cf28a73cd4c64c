/** Actions of a channel. What the server would refuse is not shown. */

import type { JSX } from 'preact';
import type { Channel } from '../../client/store/types.ts';
import { UNUSED_NAME } from '../refusal.ts';
import { useApp } from '../words/app-words.ts';
import type { OpenMenu } from './controls.tsx';
import { useMay, useReport } from './hooks.ts';
import { useMarkRead } from './marking.ts';
import { MenuItem, MenuPopover } from './menu.tsx';
import { useCopyLink } from './share-link.tsx';

export interface ChannelActionsProps extends OpenMenu {
  channel: Channel;
  openPeople(): void;
  openSettings(): void;
}

export function ChannelActions({ channel, openPeople, openSettings, ...menu }: ChannelActionsProps): JSX.Element {
  const { store, words } = useApp();
  const { session } = store;
  const report = useReport();
  const mark = useMarkRead();
  const copyLink = useCopyLink();
  const { stream_id, name, is_subscribed, is_archived } = channel;
  const mayEdit = useMay('channels.edit', { stream_id, new_name: UNUSED_NAME });
  const set = (property: 'is_muted' | 'pin_to_top', value: boolean) => () =>
    report(session.subscriptions.updateProperties({ subscription_data: [{ stream_id, property, value }] }));
  const markRead = () => mark(() => session.messages.markChannelRead({ stream_id }));
  return (
    <MenuPopover {...menu}>
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
      <MenuItem onClick={() => copyLink({ view: 'channel', channelId: stream_id })}>{words.copyLink}</MenuItem>
      <MenuItem onClick={openPeople}>{words.channelMembers}</MenuItem>
      {mayEdit && <MenuItem onClick={openSettings}>{words.channelSettings}</MenuItem>}
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
    </MenuPopover>
  );
}
