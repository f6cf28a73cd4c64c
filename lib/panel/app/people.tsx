/** All users, found by name, with profiles. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Person } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';
import { PersonSearch } from './person-search.tsx';
import { Profile } from './profile.tsx';
import { ViewHeader } from './view-header.tsx';

export function PeoplePage(): JSX.Element {
  const { words } = usePanel();
  const [shown, setShown] = useState<Person>();
  return (
    <>
      <ViewHeader title={words.people} icon="people" />
      <div class="page">
        <PersonSearch
          label={words.searchPeople}
          listsAll
          actionLabel={() => words.profile}
          onChoose={(person) => setShown(person)}
        />
      </div>
      {shown && <Profile userId={shown.user_id} onClose={() => setShown(undefined)} />}
    </>
  );
}
