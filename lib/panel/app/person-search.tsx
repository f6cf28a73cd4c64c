/** A field that finds users, and the list of matches. The server searches: there may be 10,000 users. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Person } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';
import { Avatar } from '../messages/avatar.tsx';
import { ErrorText, Field } from './controls.tsx';
import { useFetched, useSettled } from './hooks.ts';
import { Label, PresenceDot } from './place-names.tsx';

interface PersonSearchProps {
  label: string;
  /** Leaves users out. */
  isHidden?(person: Person): boolean;
  /** Of the button of a match. */
  actionLabel(person: Person): string;
  onChoose(person: Person): void;
  /** List users before the first letter. */
  listsAll?: boolean;
  isFocused?: boolean;
}

export function PersonSearch(props: PersonSearchProps): JSX.Element {
  const { label, isHidden, actionLabel, onChoose, listsAll, isFocused } = props;
  const { store, words } = usePanel();
  const [query, setQuery] = useState('');
  const settled = useSettled(query.trim());
  const found = useFetched(
    async (signal) => (settled || listsAll ? store.people.search(settled, { signal }) : []),
    [settled, listsAll],
  );
  const people = (found.value ?? []).filter((person) => !isHidden?.(person));
  return (
    <div class="person-search">
      <Field label={label} type="search" value={query} onInput={setQuery} maxLength={100} isFocused={isFocused} />
      <ErrorText action={found} />
      {!found.isLoading && settled !== '' && people.length === 0 && <p class="muted">{words.noPeople}</p>}
      <ul class="rows">
        {people.map((person) => (
          <PersonLine key={person.user_id} person={person}>
            <button type="button" class="button" onClick={() => onChoose(person)}>
              {actionLabel(person)}
              <span class="visually-hidden"> {person.full_name}</span>
            </button>
          </PersonLine>
        ))}
      </ul>
      {(found.value?.length ?? 0) >= 20 && <p class="muted">{words.moreMatches}</p>}
    </div>
  );
}

export function PersonLine({ person, children }: { person: Person; children?: ComponentChildren }): JSX.Element {
  return (
    <li class="person-line">
      <Avatar userId={person.user_id} name={person.full_name} url={person.avatar_url} />
      <PresenceDot userId={person.user_id} />
      <Label>
        {person.full_name}
        {person.email && <span class="muted person-detail"> {person.delivery_email ?? person.email}</span>}
      </Label>
      {children}
    </li>
  );
}
