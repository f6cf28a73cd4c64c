/** The people of a channel or of a direct conversation. */

import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Person } from '../../../client/store/types.ts';
import { Button, ErrorText } from '../../buttons.tsx';
import { MessageContent } from '../../content/content.tsx';
import { useCell, usePeople } from '../../context.ts';
import { Avatar } from '../../messages/avatar.tsx';
import { personName } from '../../messages/places.ts';
import { Outline } from '../../outline.tsx';
import { useFetched } from '../../refusal.ts';
import { useColumnWords } from '../../words/column-words.ts';
import { Field, useLimited } from '../controls.tsx';
import { useAction, useDebounced, useMay } from '../hooks.ts';
import { Label, PresenceDot } from '../place-names.tsx';
import { useSubscribers } from './subscribers.ts';

/** The list of so many people has the order of their names. A longer one has only that of their presence. */
const MAX_SORTED = 100;
const ROWS = 50;

const NO_ONE: ReadonlySet<number> = new Set();

export function ChannelPeople({ channelId }: { channelId: number }): JSX.Element {
  const { store, words, announce } = useColumnWords();
  const channel = useCell(store.channels).get(channelId);
  const { ids, error } = useSubscribers(channelId);
  const [query, setQuery] = useState('');
  const field = useRef<HTMLDivElement>(null);
  const mayAdd = useMayAdd(channel?.is_archived ? undefined : channel?.name, ids);
  const action = useAction();
  const add = async ({ user_id, full_name }: Person) => {
    const subscriptions = [{ name: channel?.name ?? '' }];
    const isDone = await action.run(() => store.session.subscriptions.add({ subscriptions, principals: [user_id] }));
    if (!isDone) return;
    announce(words.invited(full_name));
    setQuery('');
    field.current?.querySelector('input')?.focus();
  };
  return (
    <>
      {channel?.rendered_description && (
        <div class="column-about">
          <h3>{words.aboutChannel}</h3>
          <MessageContent html={channel.rendered_description} />
        </div>
      )}
      <div ref={field}>
        <Field
          label={mayAdd ? words.findOrAddPeople : words.findPeople}
          type="search"
          value={query}
          onInput={setQuery}
          maxLength={100}
        />
      </div>
      <ErrorText action={action} />
      <ErrorText action={{ error }} />
      {query.trim() !== '' ? (
        <Found query={query.trim()} channelId={channelId} members={ids ?? NO_ONE}>
          {(person, isMember) =>
            !isMember &&
            mayAdd && (
              <Button isDisabled={action.isRunning} onClick={() => add(person)}>
                {words.add}
                <span class="visually-hidden"> {person.full_name}</span>
              </Button>
            )
          }
        </Found>
      ) : ids ? (
        <>
          <p class="muted" role="status">
            {words.subscriberCount(ids.size)}
          </p>
          <People ids={ids} />
        </>
      ) : (
        error === undefined && <Outline of="people" />
      )}
    </>
  );
}

/** Whether the user may subscribe others. The answer is the same for all others, so it asks about one. */
function useMayAdd(name: string | undefined, ids: ReadonlySet<number> | undefined): boolean {
  const { store } = useColumnWords();
  const other = useFetched(async () => {
    const isOther = (id: number) => id !== store.me.get()?.user_id;
    if (!ids) return undefined;
    return [...ids].find(isOther) ?? (await store.people.search('')).map((user) => user.user_id).find(isOther);
  }, [store, ids !== undefined]).value;
  const isKnown = name !== undefined && other !== undefined;
  return useMay('subscriptions.add', isKnown && { subscriptions: [{ name }], principals: [other] });
}

interface FoundProps {
  query: string;
  channelId: number;
  members: ReadonlySet<number>;
  children(person: Person, isMember: boolean): ComponentChildren;
}

/** Subscribers first, then others, who can be added. */
function Found({ query, channelId, members, children }: FoundProps): JSX.Element {
  const { store, words } = useColumnWords();
  const debounced = useDebounced(query);
  const found = useFetched(
    async (signal) => store.people.search(debounced, { channelId, signal }),
    [store, debounced, channelId],
  );
  if (!found.value) return found.error ? <ErrorText action={found} /> : <Outline of="people" />;
  const rows = found.value.map((person) => ({ person, more: children(person, members.has(person.user_id)) }));
  const shown = rows.filter(({ person, more }) => more || members.has(person.user_id));
  if (shown.length === 0) return <p class="muted">{words.noPeople}</p>;
  return (
    <ul class="rows">
      {shown.map(({ person, more }) => (
        <PersonRow key={person.user_id} id={person.user_id} person={person}>
          {more}
        </PersonRow>
      ))}
    </ul>
  );
}

export function Participants({ userIds }: { userIds: readonly number[] }): JSX.Element {
  const { store } = useColumnWords();
  const me = useCell(store.me)?.user_id;
  const ids = useMemo(() => new Set([...userIds, ...(me === undefined ? [] : [me])]), [userIds.join(), me]);
  return <People ids={ids} />;
}

function People({ ids }: { ids: ReadonlySet<number> }): JSX.Element {
  const { words } = useColumnWords();
  const order = useOrder(ids);
  const { shown, more } = useLimited(order ?? [], ROWS);
  const people = usePeople(shown);
  if (!order) return <Outline of="people" />;
  if (order.length === 0) return <p class="muted">{words.noSubscribers}</p>;
  return (
    <>
      <ul class="rows">
        {shown.map((id, index) => (
          <PersonRow key={id} id={id} person={people[index]} />
        ))}
      </ul>
      {more && <div class="show-more">{more}</div>}
    </>
  );
}

/**
 * Active and idle people first, then by name. The order stays until the people change: a row must not move away while
 * the user points at it. Undefined until the names are there.
 */
function useOrder(ids: ReadonlySet<number>): readonly number[] | undefined {
  const { store, formats } = useColumnWords();
  const isSorted = ids.size <= MAX_SORTED;
  const people = usePeople(isSorted ? [...ids] : []);
  const names = people.map((person) => person?.full_name);
  const isReady = !names.includes(undefined);
  // While the name of a new person is on its way, the list stays.
  const before = useRef<readonly number[]>(undefined);
  const order = useMemo(() => {
    if (!isReady) return undefined;
    const nameOf = new Map([...ids].map((id, index) => [id, names[index] ?? '']));
    const byName = new Intl.Collator(formats.lang, { numeric: true });
    const rankOf = new Map([...ids].map((id) => [id, isThere(store.activity.presence(id).get()) ? 0 : 1]));
    const rank = (id: number) => rankOf.get(id) ?? 1;
    const name = (id: number) => nameOf.get(id) ?? '';
    return [...ids].sort((a, b) => rank(a) - rank(b) || byName.compare(name(a), name(b)) || a - b);
  }, [store, ids, isReady && names.join('\n'), formats]);
  before.current = order ?? before.current;
  return before.current;
}

const isThere = (presence: string) => presence === 'active' || presence === 'idle';

interface PersonRowProps {
  id: number;
  person: Person | undefined;
  children?: ComponentChildren;
}

/** The whole row opens the profile. */
function PersonRow({ id, person, children }: PersonRowProps): JSX.Element {
  const { store, words, navigate } = useColumnWords();
  const isMe = useCell(store.me)?.user_id === id;
  const name = person ? personName(person, words) : '…';
  return (
    <li class="column-row">
      <button
        type="button"
        class="row-button"
        disabled={!person || person.is_unknown === true}
        onClick={() => navigate({ page: 'person', id })}
      >
        <span class="row-picture">
          <Avatar userId={id} name={name} url={person?.avatar_url} />
          <PresenceDot userId={id} />
        </span>
        <Label>
          {name}
          {isMe && <span class="muted"> ({words.itsYou})</span>}
        </Label>
      </button>
      {children}
    </li>
  );
}
