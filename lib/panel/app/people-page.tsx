import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Person } from '../../client/store/types.ts';
import { Button } from '../buttons.tsx';
import { usePeopleWords } from '../words/people-words.ts';
import { useOpen } from './hooks.ts';
import { PendingInvitations, useInvitations } from './invitations.tsx';
import { InviteDialog } from './invite-people.tsx';
import { PersonSearch } from './person-search.tsx';
import { Profile } from './profile.tsx';
import { ViewHeader } from './view-header.tsx';

export function PeoplePage(): JSX.Element {
  const { words } = usePeopleWords();
  const [shown, setShown] = useState<Person>();
  const invitations = useInvitations();
  const invite = useOpen();
  return (
    <>
      <ViewHeader title={words.people} icon="people">
        {invitations.isOffered && <Button onClick={invite.open}>{words.invitePeople}</Button>}
      </ViewHeader>
      <div class="page">
        <PendingInvitations invitations={invitations} />
        <PersonSearch
          label={words.searchPeople}
          listsAll
          actionLabel={() => words.profile}
          onChoose={(person) => setShown(person)}
        />
      </div>
      {shown && <Profile userId={shown.user_id} onClose={() => setShown(undefined)} />}
      {invite.isOpen && <InviteDialog invitations={invitations} onClose={invite.close} />}
    </>
  );
}
