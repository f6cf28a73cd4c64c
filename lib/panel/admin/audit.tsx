/** The audit log, for owners. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import type { Person } from '../../client/store/types.ts';
import { useDebounced, useOpen } from '../app/hooks.ts';
import { PersonSearch } from '../app/person-search.tsx';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { Input } from './kit.tsx';
import { Line, List } from './lines.tsx';
import { useLive } from './live.tsx';

type Entry = Awaited<ReturnType<Session['organization']['auditLog']>>['entries'][number];

/** Fields of the details that contain the ID of a user, or of a channel. */
const USER_FIELDS: readonly string[] = ['user_id', 'sender_id', 'as_user_id', 'bot_id', 'owner_id', 'bot_owner_id'];
const CHANNEL_FIELDS: readonly string[] = ['stream_id', 'from_stream_id', 'channel_id'];
const SYSTEM_CLIENT = 'system';
const NAMED_AT_ONCE = 100;

export function AuditSection(): JSX.Element {
  const { store, words } = useAdmin();
  const [action, setAction] = useState('');
  const [person, setPerson] = useState<Person>();
  const [before, setBefore] = useState<number>();
  /** Another filter starts with the newest entries again. */
  const inNewest =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setBefore(undefined);
    };
  const chosen = useDebounced(action.trim());
  const found = useLive(
    async () =>
      store.session.organization.auditLog({
        ...(chosen !== '' && { action: chosen }),
        ...(person && { user_id: person.user_id }),
        ...(before !== undefined && { before_id: before }),
      }),
    [],
    [chosen, person?.user_id, before],
  );
  const entries = found.value?.entries;
  const ids = (entries ?? []).flatMap(({ user_id, details }) => [
    ...(user_id === null ? [] : [user_id]),
    ...USER_FIELDS.map((name) => details[name]).filter((id) => typeof id === 'number'),
  ]);
  const nameOf = useNames(ids);
  return (
    <>
      <p class="muted">{words.auditHint}</p>
      <Input
        label={words.auditAction}
        hint={words.auditActionHint}
        type="search"
        value={action}
        onInput={inNewest(setAction)}
        maxLength={100}
      />
      <PersonFilter person={person} onChange={inNewest(setPerson)} />
      <ErrorText action={found} />
      <List
        key={`${chosen} ${person?.user_id} ${before}`}
        label={words.auditLog}
        items={entries}
        empty={words.noEntries}
      >
        {(entry) => <EntryLine key={entry.id} entry={entry} nameOf={nameOf} />}
      </List>
      <div class="admin-actions">
        {found.value?.found_oldest === false && (
          <Button onClick={() => setBefore(entries?.at(-1)?.id)}>{words.olderEntries}</Button>
        )}
        {before !== undefined && <Button onClick={() => setBefore(undefined)}>{words.newestEntries}</Button>}
      </div>
    </>
  );
}

function useNames(ids: readonly number[]): (id: number) => string {
  const known = usePeople([...new Set(ids)].slice(0, NAMED_AT_ONCE));
  return (id) => known.find((each) => each?.user_id === id)?.full_name ?? `${id}`;
}

interface PersonFilterProps {
  person: Person | undefined;
  onChange(person: Person | undefined): void;
}

function PersonFilter({ person, onChange }: PersonFilterProps): JSX.Element {
  const { words } = useAdmin();
  const { isOpen, open, close } = useOpen();
  if (isOpen)
    return (
      <PersonSearch
        label={words.auditChooseLabel}
        actionLabel={() => words.add}
        onChoose={(each) => {
          onChange(each);
          close();
        }}
      />
    );
  return (
    <div class="admin-actions">
      {person && <p>{words.auditChosen(person.full_name)}</p>}
      <Button onClick={person ? () => onChange(undefined) : open}>
        {person ? words.auditShowAll : words.auditChoose}
      </Button>
    </div>
  );
}

function EntryLine({ entry, nameOf }: { entry: Entry; nameOf(id: number): string }): JSX.Element {
  const { store, words, formats } = useAdmin();
  const channels = useCell(store.channels);
  const { action, timestamp, user_id, status, code, details, client, network, times } = entry;
  const { as_user_id: as, ...shown } = details;
  const who = () => {
    if (user_id !== null) return nameOf(user_id);
    if (typeof as === 'number') return words.onServer(nameOf(as));
    return client === SYSTEM_CLIENT && network === null ? words.hostProgram : words.notSignedIn;
  };
  const textOf = (name: string, value: unknown): string => {
    if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value);
    if (USER_FIELDS.includes(name)) return nameOf(value);
    const channel = CHANNEL_FIELDS.includes(name) ? channels.get(value)?.name : undefined;
    return channel === undefined ? `${value}` : `#${channel}`;
  };
  return (
    <Line
      name={who()}
      details={[
        formats.full(timestamp * 1000),
        Object.entries(shown)
          .map(([name, value]) => `${name}: ${textOf(name, value)}`)
          .join(', '),
        network !== null && words.fromNetwork(network),
        times > 1 && words.timesDone(times),
      ]}
      tags={[status >= 400 && words.refusedWith(code ?? `${status}`), action]}
    />
  );
}
