import type { JSX } from 'preact';
import { Button } from '../buttons.tsx';
import { usePeopleWords } from '../words/people-words.ts';
import { useOpen } from './hooks.ts';
import { PendingInvitations, useInvitations } from './invitations.tsx';
import { InviteDialog } from './invite-people.tsx';
import { PersonSearch } from './person-search.tsx';
import { Profile } from './profile.tsx';
import { useRouter } from './router.tsx';
import { ViewHeader } from './view-header.tsx';

/** @param props `userId`: the profile that is open */
export function PeoplePage({ userId }: { userId: number | undefined }): JSX.Element {
  const { words, navigate } = usePeopleWords();
  const { go } = useRouter();
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
      {userId !== undefined && (
        <Profile key={userId} userId={userId} onClose={() => go({ view: 'people' }, { replace: true })} />
      )}
      {invite.isOpen && <InviteDialog invitations={invitations} onClose={invite.close} />}
    </>
  );
}
