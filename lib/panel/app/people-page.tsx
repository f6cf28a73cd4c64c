import type { JSX } from 'preact';
import { Button } from '../buttons.tsx';
import { usePeopleWords } from '../words/people-words.ts';
import { useOpen } from './hooks.ts';
import { PendingInvitations, useInvitations } from './invitations.tsx';
import { InviteDialog } from './invite-people.tsx';
import { PersonSearch } from './person-search.tsx';
import { ViewHeader } from './view-header.tsx';

export function PeoplePage(): JSX.Element {
  const { words, navigate } = usePeopleWords();
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
          onChoose={({ user_id }) => navigate({ page: 'person', id: user_id })}
        />
      </div>
      {invite.isOpen && <InviteDialog invitations={invitations} onClose={invite.close} />}
    </>
  );
}
