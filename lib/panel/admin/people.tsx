/** All people of the organization, and one of them: role, password, logins, activation. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatEvent, InitialState, Session } from '../../chat/session.ts';
import type { Person } from '../../client/store/types.ts';
import { plainLetters } from '../../rules/plain-letters.ts';
import { useDebounced } from '../app/hooks.ts';
import { useRouter } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Avatar } from '../messages/avatar.tsx';
import { useFetched } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import { callOf, changeOf } from './change.tsx';
import { Activation } from './forms.tsx';
import { ChoiceSetting, Input, type SectionProps, SelectField, TextSetting } from './kit.tsx';
import { AccountHeading, Count, Line, List, OpenItem } from './lines.tsx';
import { stateOf, useEvents, useLive } from './live.tsx';
import { Login, SecondFactor } from './person-login.tsx';

const ROLES = [100, 200, 300, 400, 600] as const;
const OWNER = 100;
/** A user with a later report is active. */
const ACTIVE_SECONDS = 200;

export function PeopleSection({ id }: SectionProps): JSX.Element {
  return id === undefined ? <PeopleList /> : <OnePerson id={id} />;
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: number;
  readonly isActive: boolean;
  readonly hasSecondFactor: boolean;
  readonly avatar: string | null | undefined;
  /** For the filter. */
  readonly text: string;
}

type AnyPerson = Omit<Person, 'role'> & { role?: number; has_second_factor?: boolean | undefined };

/** A changed person is a new object. */
const known = new WeakMap<AnyPerson, Row>();

function rowOf(person: AnyPerson): Row {
  const { user_id, full_name, role = 400, is_active = true, has_second_factor = false } = person;
  const email = person.delivery_email ?? person.email ?? '';
  const text = plainLetters(`${full_name} ${email}`);
  const row = {
    ...{ id: user_id, name: full_name, email, role, isActive: is_active, hasSecondFactor: has_second_factor },
    ...{ avatar: person.avatar_url, text },
  };
  known.set(person, row);
  return row;
}

/** Milliseconds until the list shows changes: an import sends thousands of events. */
const CHANGES_DELAY_MS = 300;

/** All people, once; then events change single ones. */
function useRows() {
  const { store } = useAdmin();
  const [version, setVersion] = useState(0);
  const people = useRef(new Map<number, AnyPerson>());
  const [rows, setRows] = useState<readonly Row[]>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = () => {
    timer.current = undefined;
    setRows([...people.current.values()].map((person) => known.get(person) ?? rowOf(person)));
  };
  const found = useFetched(
    async (signal) => {
      const { members } = await store.session.users.list(
        { client_gravatar: false, include_second_factor: true },
        { signal },
      );
      people.current = new Map(members.filter(({ is_bot }) => !is_bot).map((person) => [person.user_id, person]));
      show();
    },
    [version],
  );
  useEvents((event) => {
    if (!event) return setVersion((before) => before + 1);
    if (event.type === 'realm_user' && applied(people.current, event))
      timer.current ??= setTimeout(show, CHANGES_DELAY_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { rows, error: found.error };
}

function applied(people: Map<number, AnyPerson>, event: Extract<ChatEvent, { type: 'realm_user' }>): boolean {
  const { user_id } = event.person;
  if (event.op === 'remove') return people.delete(user_id);
  if (event.op === 'add') {
    if (event.person.is_bot) return false;
    people.set(user_id, event.person);
    return true;
  }
  const before = people.get(user_id);
  if (!before) return false;
  const { custom_profile_field: _, new_email, ...fields } = event.person;
  people.set(user_id, { ...before, ...(fields as AnyPerson), ...(new_email !== undefined && { email: new_email }) });
  return true;
}

/** When people were last active, by ID, in UNIX seconds. */
export function lastSeenIn({ presences }: InitialState<'presence'>): ReadonlyMap<number, number> {
  const slim = presences as Readonly<Record<string, { active_timestamp: number; idle_timestamp: number }>>;
  return new Map(
    Object.entries(slim).map(([id, { active_timestamp, idle_timestamp }]) => [
      Number(id),
      Math.max(active_timestamp, idle_timestamp),
    ]),
  );
}

/** Fetched once: the dot elsewhere shows who is active now. */
function useLastSeen(): ReadonlyMap<number, number> | undefined {
  const { store } = useAdmin();
  return useFetched(async () => lastSeenIn(await stateOf(store.session, ['presence'])), []).value;
}

interface Choice {
  /** 0: all. */
  readonly role: number;
  readonly status: 'active' | 'without-second-factor' | 'deactivated' | 'all';
  readonly order: 'name' | 'seen';
}

function hasStatus({ isActive, hasSecondFactor }: Row, status: Choice['status']): boolean {
  if (status === 'all') return true;
  return isActive === (status !== 'deactivated') && !(status === 'without-second-factor' && hasSecondFactor);
}

/** The rows that match, in their order. */
function useShown(text: string, { role, status, order }: Choice, seen: ReadonlyMap<number, number> | undefined) {
  const { formats } = useAdmin();
  const { rows, error } = useRows();
  const sorted = useMemo(() => {
    if (!rows) return undefined;
    const byName = new Intl.Collator(formats.lang, { numeric: true });
    const seenAt = (row: Row) => seen?.get(row.id) ?? 0;
    return [...rows].sort(
      (a, b) => (order === 'seen' ? seenAt(b) - seenAt(a) : 0) || byName.compare(a.name, b.name) || a.id - b.id,
    );
  }, [rows, order, order === 'seen' && seen, formats]);
  const shown = useMemo(
    () =>
      sorted?.filter(
        (row) =>
          (role === 0 || row.role === role) && hasStatus(row, status) && (text === '' || row.text.includes(text)),
      ),
    [sorted, role, status, text],
  );
  return { shown, error };
}

function PeopleList(): JSX.Element {
  const { words } = useAdmin();
  const { go } = useRouter();
  const seen = useLastSeen();
  const [query, setQuery] = useState('');
  const [choice, setChoice] = useState<Choice>({ role: 0, status: 'active', order: 'name' });
  const text = plainLetters(useDebounced(query.trim()));
  const { shown, error } = useShown(text, choice, seen);
  return (
    <>
      <Input label={words.searchPeople} type="search" value={query} onInput={setQuery} maxLength={100} />
      <Filters choice={choice} onChange={(change) => setChoice({ ...choice, ...change })} />
      <div class="admin-actions">
        <Button onClick={() => go({ view: 'people' })}>{words.invitePeople}</Button>
      </div>
      <ErrorText action={{ error }} />
      <Count text={shown && words.peopleCount(shown.length)} />
      <List key={`${text} ${Object.values(choice)}`} label={words.people} items={shown} empty={words.noPeopleHere}>
        {(row) => <PersonRow key={row.id} row={row} seen={seen?.get(row.id)} isSeenKnown={seen !== undefined} />}
      </List>
    </>
  );
}

function Filters({ choice, onChange }: { choice: Choice; onChange(change: Partial<Choice>): void }): JSX.Element {
  const { words } = useAdmin();
  return (
    <div class="admin-filters">
      <SelectField
        label={words.role}
        value={choice.role}
        options={[[0, words.allRoles], ...ROLES.map((each): [number, string] => [each, words.roleNames[each] ?? ''])]}
        onChange={(value) => onChange({ role: Number(value) })}
      />
      <SelectField<string>
        label={words.accountStatus}
        value={choice.status}
        options={[
          ['active', words.active],
          ['without-second-factor', words.withoutSecondFactor],
          ['deactivated', words.deactivatedOnes],
          ['all', words.everyone],
        ]}
        onChange={(value) => onChange({ status: value as 'active' })}
      />
      <SelectField<string>
        label={words.sortBy}
        value={choice.order}
        options={[
          ['name', words.sortByName],
          ['seen', words.sortBySeen],
        ]}
        onChange={(value) => onChange({ order: value as 'name' })}
      />
    </div>
  );
}

function PersonRow({ row, seen, isSeenKnown }: { row: Row; seen: number | undefined; isSeenKnown: boolean }) {
  const { words } = useAdmin();
  const seenText = useSeenText(seen);
  return (
    <Line
      lead={<Avatar userId={row.id} name={row.name} url={row.avatar} />}
      name={row.name}
      to={`people/${row.id}`}
      details={[row.email, isSeenKnown && seenText]}
      tags={[
        row.hasSecondFactor && words.secondFactorTag,
        !row.isActive && words.deactivatedTag,
        words.roleNames[row.role] ?? '',
      ]}
    />
  );
}

function useSeenText(seen: number | undefined): string {
  const { store, words, formats } = useAdmin();
  if (seen === undefined) return words.neverSeen;
  const seconds = seen - store.now() / 1000;
  return -seconds < ACTIVE_SECONDS ? words.seenNow : words.seen(formats.relative(seconds));
}

function OnePerson({ id }: { id: number }): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(
    async () => (await store.session.users.get({ user_id: id, include_second_factor: true })).user,
    ['realm_user'],
    [id],
  );
  return (
    <OpenItem list="people" label={words.peopleLower} found={found} item={found.value}>
      {(person) => <PersonPage person={person} refresh={found.refresh} />}
    </OpenItem>
  );
}

type FullPerson = Awaited<ReturnType<Session['users']['get']>>['user'];

function PersonPage({ person, refresh }: { person: FullPerson; refresh(): void }): JSX.Element {
  const { store, words, formats } = useAdmin();
  const me = useCell(store.me);
  const { user_id: id, full_name, email, delivery_email, role, is_active, date_joined, avatar_url } = person;
  const isMe = id === me?.user_id;
  const isAbove = role === OWNER && !me?.is_owner && words.ownersOnly;
  const joined = words.joined(formats.full(Date.parse(date_joined)));
  const details = [delivery_email ?? email, is_active ? joined : `${joined} · ${words.deactivatedTag}`];
  return (
    <>
      <AccountHeading userId={id} name={full_name} url={avatar_url} details={details} />
      <Section title={words.profile}>
        <NameAndRole person={person} refusal={isMe ? words.ownRole : isAbove} />
      </Section>
      {is_active && (
        <Section title={words.passwordAndLogin}>
          <SecondFactor person={person} mayReset={!isMe && !isAbove} refresh={refresh} />
          {isAbove ? <p class="muted">{isAbove}</p> : <Login id={id} name={full_name} />}
        </Section>
      )}
      {!isMe && (
        <Section title={words.account}>
          {isAbove ? (
            <p class="muted">{isAbove}</p>
          ) : (
            <Activation
              name={full_name}
              isActive={is_active}
              deactivation={callOf('users.deactivate', { user_id: id })}
              reactivation={callOf('users.reactivate', { user_id: id })}
              hint={words.deactivateHint}
            />
          )}
        </Section>
      )}
    </>
  );
}

function NameAndRole({ person, refusal }: { person: FullPerson; refusal: string | false }): JSX.Element {
  const { store, words } = useAdmin();
  const me = useCell(store.me);
  const { user_id, full_name, role } = person;
  const roles = ROLES.filter((each) => each !== OWNER || me?.is_owner || role === OWNER);
  return (
    <>
      <TextSetting
        label={words.personName}
        value={full_name}
        maxLength={100}
        isRequired
        change={(value) =>
          changeOf({
            operation: 'users.edit',
            parameters: { user_id, full_name: value },
            question: words.nameQuestion(full_name),
          })
        }
      />
      <ChoiceSetting
        label={words.role}
        hint={words.roleHint}
        value={role}
        options={roles.map((each) => [each, words.roleNames[each] ?? ''] as const)}
        refusal={refusal}
        change={(value) =>
          changeOf({
            operation: 'users.edit',
            parameters: { user_id, role: value as 100 },
            question: words.roleQuestion(full_name),
            submit: words.giveRole,
            isAsked: true,
          })
        }
      />
    </>
  );
}
