/** The own picture, with a menu of the own account. */

import type { JSX } from 'preact';
import type { Me } from '../../client/store/types.ts';
import { Avatar } from '../messages/avatar.tsx';
import { useApp } from '../words/app-words.ts';
import { MenuButton } from './controls.tsx';
import { useOpen } from './hooks.ts';
import { OwnActions, StatusDialog } from './parts.ts';
import { PresenceDot } from './place-names.tsx';

export function OwnMenu({ me: { user_id, full_name, avatar_url } }: { me: Me }): JSX.Element {
  const { words } = useApp();
  const status = useOpen();
  const face = (
    <span class="nav-icon">
      <Avatar userId={user_id} name={full_name} url={avatar_url} />
      <PresenceDot userId={user_id} />
    </span>
  );
  return (
    <>
      <MenuButton label={words.ownMenu(full_name)} face={face}>
        {(menu) => <OwnActions userId={user_id} openStatus={status.open} {...menu} />}
      </MenuButton>
      {status.isOpen && <StatusDialog onClose={status.close} />}
    </>
  );
}
