/** The menu at the heading of the channels. */

import type { JSX } from 'preact';
import { useApp } from '../words/app-words.ts';
import { useMayCreateChannels } from './channel-settings.tsx';
import type { OpenMenu } from './controls.tsx';
import { MenuItem, MenuPopover } from './menu.tsx';
import { useRouter } from './router.tsx';

export function AddChannels(menu: OpenMenu): JSX.Element {
  const { words } = useApp();
  const { go } = useRouter();
  const mayCreate = useMayCreateChannels();
  return (
    <MenuPopover {...menu}>
      <MenuItem onClick={() => go({ view: 'browse-channels' })}>{words.browseChannels}</MenuItem>
      {(mayCreate.isPublic || mayCreate.isPrivate) && (
        <MenuItem onClick={() => go({ view: 'new-channel' })}>{words.createChannel}</MenuItem>
      )}
    </MenuPopover>
  );
}
