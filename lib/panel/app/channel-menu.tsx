/** The button of a channel with its actions. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel } from '../../client/store/types.ts';
import { useApp } from '../words/app-words.ts';
import { MenuButton } from './controls.tsx';
import { ChannelActions, ChannelMembers, ChannelSettings } from './parts.ts';

export function ChannelMenu({ channel }: { channel: Channel }): JSX.Element {
  const { words } = useApp();
  const [dialog, setDialog] = useState<'settings' | 'members'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <MenuButton label={words.moreOf(`#${channel.name}`)}>
        {(menu) => <ChannelActions channel={channel} open={setDialog} {...menu} />}
      </MenuButton>
      {dialog === 'settings' && <ChannelSettings channel={channel} onClose={close} />}
      {dialog === 'members' && <ChannelMembers channel={channel} onClose={close} />}
    </>
  );
}
