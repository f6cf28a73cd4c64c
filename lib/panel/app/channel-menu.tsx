/** The button of a channel with its actions. */

import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Channel } from '../../client/store/types.ts';
import { useApp } from '../words/app-words.ts';
import { ColumnContext } from './column-state.ts';
import { MenuButton } from './controls.tsx';
import { useOpen } from './hooks.ts';
import { ChannelActions, ChannelSettings } from './parts.ts';
import { useRouter } from './router.tsx';

export function ChannelMenu({ channel }: { channel: Channel }): JSX.Element {
  const { words } = useApp();
  const { route } = useRouter();
  const column = useContext(ColumnContext);
  const settings = useOpen();
  const { stream_id: channelId } = channel;
  const openPeople = () => {
    if ('channelId' in route && route.channelId === channelId) column?.show('people');
    else column?.showAt({ view: 'channel', channelId }, 'people');
  };
  return (
    <>
      <MenuButton label={words.moreOf(`#${channel.name}`)}>
        {(menu) => <ChannelActions channel={channel} openPeople={openPeople} openSettings={settings.open} {...menu} />}
      </MenuButton>
      {settings.isOpen && <ChannelSettings channel={channel} onClose={settings.close} />}
    </>
  );
}
