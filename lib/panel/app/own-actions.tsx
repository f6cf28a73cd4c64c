/** What the menu at the own picture has. */

import type { JSX } from 'preact';
import { useSettings } from '../words/settings-words.ts';
import type { OpenMenu } from './controls.tsx';
import { useReport } from './hooks.ts';
import { MenuItem, MenuPopover } from './menu.tsx';
import { useRouter } from './router.tsx';
import { useSignOut } from './sign-out.ts';

export interface OwnActionsProps extends OpenMenu {
  userId: number;
  openStatus(): void;
}

export function OwnActions({ userId, openStatus, ...menu }: OwnActionsProps): JSX.Element {
  const { words, navigate } = useSettings();
  const { go } = useRouter();
  const report = useReport();
  const signOut = useSignOut();
  return (
    <MenuPopover {...menu}>
      <MenuItem onClick={openStatus}>{words.setStatus}</MenuItem>
      <MenuItem onClick={() => navigate({ page: 'person', id: userId })}>{words.profile}</MenuItem>
      <MenuItem onClick={() => go({ view: 'settings' })}>{words.settings}</MenuItem>
      {signOut && <MenuItem onClick={() => report(signOut())}>{words.signOut}</MenuItem>}
    </MenuPopover>
  );
}
