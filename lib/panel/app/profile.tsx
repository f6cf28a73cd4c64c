/** A user: name, presence, address, role, local time, and a button to write. */

import type { JSX } from 'preact';
import { Button } from '../buttons.tsx';
import { useCell, useCellOf } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Avatar } from '../messages/avatar.tsx';
import { personName } from '../messages/places.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { unmuteUser, useReport } from './hooks.ts';
import { PresenceDot } from './place-names.tsx';
import { useRouter } from './router.tsx';

export function Profile({ userId, onClose }: { userId: number; onClose(): void }): JSX.Element {
  const { store, words } = usePeopleWords();
  const { go } = useRouter();
  const report = useReport();
  const person = useCellOf(() => store.people.user(userId), [store, userId]);
  const name = person ? personName(person, words) : words.unknownUser;
  const isMe = useCell(store.me)?.user_id === userId;
  const isMuted = useCell(store.mutedUsers).has(userId);
  const isBlocked = useCell(store.blockedUsers).has(userId);
  const toggleMute = () =>
    report(isMuted ? unmuteUser(store, userId) : store.session.mutedUsers.add({ muted_user_id: userId }));
  const write = () => {
    onClose();
    go({ view: 'direct', userIds: isMe ? [] : [userId] });
  };
  return (
    <Dialog title={words.profileOf(name)} onClose={onClose}>
      <div class="profile">
        <span class="picture-large">
          <Avatar userId={userId} name={name} url={person?.avatar_url} />
        </span>
        <div>
          <p class="profile-name">
            {name} <PresenceDot userId={userId} />
          </p>
          {person?.is_bot && <p class="muted">{words.bot}</p>}
        </div>
      </div>
      <dl class="facts">
        <Fact name={words.email} value={person?.delivery_email ?? person?.email} />
        <Fact name={words.role} value={person?.role === undefined ? undefined : words.roleNames[person.role]} />
        <Fact name={words.localTime} value={localTime(person?.timezone)} />
      </dl>
      <div class="form-actions">
        {!isMe && (
          <Button onClick={toggleMute}>
            {isBlocked ? words.unblockUser : isMuted ? words.unmuteUser : words.muteUser}
          </Button>
        )}
        {person?.is_active !== false && (
          <Button kind="primary" onClick={write}>
            {words.sendDirect}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Fact({ name, value }: { name: string; value: string | undefined }): JSX.Element | null {
  if (!value) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function localTime(timeZone: string | undefined): string | undefined {
  if (!timeZone) return undefined;
  try {
    return new Date().toLocaleTimeString(undefined, { timeZone, hour: 'numeric', minute: '2-digit' });
  } catch {
    // A time zone that this browser does not know.
    return undefined;
  }
}
