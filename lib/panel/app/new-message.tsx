/** Choose the participants of a direct conversation. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Person } from '../../client/store/types.ts';
import { usePanel } from '../context.ts';
import { Icon } from '../icons.tsx';
import { Button } from './controls.tsx';
import { PersonSearch } from './person-search.tsx';
import { useRouter } from './router.tsx';
import { ViewHeader } from './view-header.tsx';

const MAX_RECIPIENTS = 20;

export function NewMessagePage(): JSX.Element {
  const { words } = usePanel();
  const { go } = useRouter();
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const isFull = chosen.length >= MAX_RECIPIENTS;
  const start = () => go({ view: 'direct', userIds: chosen.map(({ user_id }) => user_id).sort((a, b) => a - b) });
  return (
    <>
      <ViewHeader title={words.newMessage} icon="edit" />
      <div class="page">
        {chosen.length > 0 && (
          <ul class="chips" aria-label={words.recipients}>
            {chosen.map((person) => (
              <li key={person.user_id}>
                <button
                  type="button"
                  class="chip"
                  aria-label={words.removeRecipient(person.full_name)}
                  onClick={() => setChosen(chosen.filter(({ user_id }) => user_id !== person.user_id))}
                >
                  {person.full_name}
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        {isFull && <p class="muted">{words.tooManyRecipients}</p>}
        <PersonSearch
          label={words.searchPeople}
          listsAll
          isFocused
          isHidden={({ user_id }) => isFull || chosen.some((person) => person.user_id === user_id)}
          actionLabel={() => words.add}
          onChoose={(person) => setChosen([...chosen, person])}
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
