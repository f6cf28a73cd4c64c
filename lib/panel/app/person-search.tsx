/** A field that finds users with the list of matches, and the page that chooses the participants of a conversation. */

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Person } from '../../client/store/types.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { Icon } from '../icons.tsx';
import { Avatar } from '../messages/avatar.tsx';
import { personName } from '../messages/places.ts';
import { Outline } from '../outline.tsx';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { Field } from './controls.tsx';
import { useDebounced } from './hooks.ts';
import lists from './lists.css';
import { Label, PresenceDot } from './place-names.tsx';
import { useRouter } from './router.tsx';
import { ViewHeader } from './view-header.tsx';

addStyles(lists);

interface PersonSearchProps {
  label: string;
  /** Leaves users out, also after a choice. */
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
  const { store, words } = usePeopleWords();
  const [query, setQuery] = useState('');
  const debounced = useDebounced(query.trim());
  const found = useFetched(
    async (signal) => ({
      query: debounced,
      people: debounced || listsAll ? await store.people.search(debounced, { signal }) : [],
    }),
    [debounced, listsAll],
  );
  const matches = found.value?.people ?? [];
  const people = matches.filter((person) => !isHidden?.(person));
  const search = useRef<HTMLDivElement>(null);
  const field = () => search.current?.querySelector('input');
  const choose = (person: Person) => {
    onChoose(person);
    if (!isHidden) return;
    // The line of the person disappears. The next name can follow.
    setQuery('');
    field()?.focus();
  };
  const [first] = people;
  const isCurrent = query.trim() !== '' && found.value?.query === query.trim();
  /** Enter was pressed before the matches of this text were there. */
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => {
    if (!isAwaited || !isCurrent) return;
    setAwaited(false);
    if (first) choose(first);
  }, [isAwaited, isCurrent]);
  /** The focus has left the field since the last letter. */
  const [isLeft, setLeft] = useState(false);
  // A form with several people would leave out one whose name was only typed. Not while it is being typed: screen readers
  // would call the field invalid.
  const isLeftOver = isHidden !== undefined && isLeft && query.trim() !== '';
  useLayoutEffect(() => field()?.setCustomValidity(isLeftOver ? words.chooseOrClear : ''), [isLeftOver]);
  return (
    <div ref={search} class="person-search" aria-busy={found.isLoading} onFocusOut={() => setLeft(true)}>
      <Field
        label={label}
        type="search"
        value={query}
        onInput={(text) => {
          setQuery(text);
          setAwaited(false);
          setLeft(false);
        }}
        // The field can be in a form, which it would send.
        onEnter={() => setAwaited(true)}
        maxLength={100}
        isFocused={isFocused}
      />
      <ErrorText action={found} />
      {found.isLoading && people.length === 0 && (debounced !== '' || listsAll) && <Outline of="people" />}
      {!found.isLoading && debounced !== '' && people.length === 0 && <p class="muted">{words.noPeople}</p>}
      <ul class="rows">
        {people.map((person) => (
          <PersonLine key={person.user_id} person={person}>
            <Button onClick={() => choose(person)}>
              {actionLabel(person)}
              <span class="visually-hidden"> {person.full_name}</span>
            </Button>
          </PersonLine>
        ))}
      </ul>
      {matches.length >= 20 && <p class="muted">{words.moreMatches}</p>}
    </div>
  );
}

export function PersonLine({ person, children }: { person: Person; children?: ComponentChildren }): JSX.Element {
  const { words } = usePeopleWords();
  return (
    <li class="person-line">
      <Avatar userId={person.user_id} name={person.full_name} url={person.avatar_url} />
      <PresenceDot userId={person.user_id} />
      <Label>
        {personName(person, words)}
        {person.email && <span class="muted person-detail"> {person.delivery_email ?? person.email}</span>}
      </Label>
      {children}
    </li>
  );
}

interface PeopleChooserProps {
  /** Of the field. */
  label: string;
  /** Of the list of chosen people. */
  chosenLabel: string;
  chosen: readonly Person[];
  onChange(chosen: readonly Person[]): void;
  max: number;
  /** Says that there is no room for more. */
  fullText: string;
  listsAll?: boolean;
  isFocused?: boolean;
}

/** Several users, with a search for more. */
export function PeopleChooser(props: PeopleChooserProps): JSX.Element {
  const { label, chosenLabel, chosen, onChange, max, fullText, listsAll = false, isFocused = false } = props;
  const { words } = usePeopleWords();
  const isFull = chosen.length >= max;
  return (
    <>
      {chosen.length > 0 && (
        <ul class="chips" aria-label={chosenLabel}>
          {chosen.map((person) => (
            <li key={person.user_id}>
              <button
                type="button"
                class="chip"
                aria-label={words.removeRecipient(person.full_name)}
                onClick={() => onChange(chosen.filter(({ user_id }) => user_id !== person.user_id))}
              >
                {person.full_name}
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isFull && <p class="muted">{fullText}</p>}
      <PersonSearch
        label={label}
        listsAll={listsAll}
        isFocused={isFocused}
        isHidden={({ user_id }) => isFull || chosen.some((person) => person.user_id === user_id)}
        actionLabel={() => words.add}
        onChoose={(person) => onChange([...chosen, person])}
      />
    </>
  );
}

// Choose the participants of a direct conversation.

const MAX_RECIPIENTS = 20;

export function NewMessagePage(): JSX.Element {
  const { words } = usePeopleWords();
  const { go } = useRouter();
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const userIds = chosen.map(({ user_id }) => user_id).sort((a, b) => a - b);
  const start = () => go({ view: 'direct', userIds, toWrite: true });
  return (
    <>
      <ViewHeader title={words.newMessage} icon="edit" />
      <div class="page">
        <PeopleChooser
          label={words.searchPeople}
          chosenLabel={words.recipients}
          chosen={chosen}
          onChange={setChosen}
          max={MAX_RECIPIENTS}
          fullText={words.tooManyRecipients}
          listsAll
          isFocused
        />
        <div class="form-actions page-actions">
          <Button kind="primary" isDisabled={chosen.length === 0} onClick={start}>
            {words.startConversation}
          </Button>
        </div>
      </div>
    </>
  );
}
