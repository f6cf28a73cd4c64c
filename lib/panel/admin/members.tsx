/** The people of a channel or group, to add and remove. */
import type { JSX } from 'preact';
import type { Person } from '../../client/store/types.ts';
import { useLimited } from '../app/controls.tsx';
import { PersonLine, PersonSearch } from '../app/person-search.tsx';
import { ErrorText } from '../buttons.tsx';
import { usePeople } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { type Change, useChange } from './change.tsx';
import { ChangeButton } from './forms.tsx';

interface MembersProps {
  /** Of the search for more people. */
  label: string;
  empty: string;
  /** Undefined before they are fetched. */
  ids: readonly number[] | undefined;
  mayAdd: boolean;
  mayRemove: boolean;
  add(person: Person): Change;
  remove(person: Person): Change;
  removeLabel: string;
}

/** Names of so many people are fetched at once. */
const NAMES_PER_FETCH = 50;

export function Members({ label, empty, ids, mayAdd, mayRemove, add, remove, removeLabel }: MembersProps): JSX.Element {
  const change = useChange();
  const { words } = useAdmin();
  const { shown, more } = useLimited(ids ?? [], NAMES_PER_FETCH);
  const people = usePeople(shown);
  return (
    <>
      {mayAdd && (
        <PersonSearch
          label={label}
          isHidden={({ user_id }) => ids?.includes(user_id) ?? true}
          actionLabel={() => words.add}
          onChoose={(person) => change.propose(add(person))}
        />
      )}
      <ErrorText action={change} />
      {ids?.length === 0 && <p class="muted">{empty}</p>}
      <ul class="rows" aria-label={words.members}>
        {shown.map((id, index) => {
          const person = people[index] ?? { user_id: id, full_name: '…' };
          return (
            <PersonLine key={id} person={person}>
              {mayRemove && (
                <ChangeButton
                  label={removeLabel}
                  name={person.full_name}
                  change={{ isAsked: false, ...remove(person) }}
                />
              )}
            </PersonLine>
          );
        })}
      </ul>
      {more}
    </>
  );
}
