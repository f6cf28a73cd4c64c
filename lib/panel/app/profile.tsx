/** The profile card of a user, with buttons to write, mention and mute. */

import type { ComponentChildren, JSX } from 'preact';
import type { ChatStore, Person } from '../../client/store/types.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { EmojiPicture } from '../composer/emoji-picture.tsx';
import { typeText } from '../composer/text.ts';
import { MessageContent } from '../content/content.tsx';
import { useCell, useCellOf, usePeople } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { Avatar } from '../messages/avatar.tsx';
import { personName } from '../messages/places.ts';
import { useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { unmuteUser, useAction } from './hooks.ts';
import lists from './lists.css';
import { PresenceDot } from './place-names.tsx';

addStyles(lists);

const ADMINISTRATOR = 200;

export function Profile({ userId, onClose }: { userId: number; onClose(): void }): JSX.Element {
  const { store, words, formats, navigate, host } = usePeopleWords();
  const action = useAction();
  const person = useCellOf(() => store.people.user(userId), [store, userId]);
  const name = person ? personName(person, words) : words.unknownUser;
  const me = useCell(store.me);
  const isMe = me?.user_id === userId;
  const isMuted = useCell(store.mutedUsers).has(userId);
  const isBlocked = useCell(store.blockedUsers).has(userId);
  const isShown = person !== undefined && !person.is_unknown;
  const toggleMute = () =>
    action.run(() => (isMuted ? unmuteUser(store, userId) : store.session.mutedUsers.add({ muted_user_id: userId })));
  const write = () => {
    onClose();
    navigate({ narrow: { userIds: isMe ? [] : [userId] }, toWrite: true });
  };
  return (
    <Dialog title={words.profileOf(name)} onClose={onClose}>
      <div class="profile">
        <span class="picture-large">
          <Avatar userId={userId} name={name} url={person?.avatar_url} />
        </span>
        <div>
          <p class="profile-name">
            {name} <PresenceDot userId={userId} />
          </p>
          {person?.is_bot ? <p class="muted">{words.bot}</p> : isShown && <Status userId={userId} />}
        </div>
      </div>
      <dl class="facts">
        <Fact name={words.email}>{person?.delivery_email ?? person?.email}</Fact>
        <Fact name={words.role}>{person?.role !== undefined && words.roleNames[person.role]}</Fact>
        <Fact name={words.localTime}>{localTime(person?.timezone, formats.lang)}</Fact>
        {isShown && !person.is_bot && <CustomFields userId={userId} />}
        {isShown && !isMe && <CommonGroups userId={userId} />}
      </dl>
      <ErrorText action={action} />
      <div class="form-actions">
        {!isMe && (
          <Button onClick={toggleMute} isDisabled={action.isRunning}>
            {isBlocked ? words.unblockUser : isMuted ? words.unmuteUser : words.muteUser}
          </Button>
        )}
        {isShown && !isMe && !person.is_bot && me && me.role <= ADMINISTRATOR && host.matches('[view=app]') && (
          <a class="button" href={`#organization/people/${userId}`} onClick={onClose}>
            {words.editAccount}
          </a>
        )}
        {isShown && person.is_active !== false && (
          <>
            <MentionButton person={person} onClose={onClose} />
            <Button kind="primary" onClick={write}>
              {words.sendDirect}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element | null {
  if (!children) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Writes a mention into the composer of the open conversation, if there is one. */
function MentionButton({ person, onClose }: { person: Person; onClose(): void }): JSX.Element | null {
  const { host, words } = usePeopleWords();
  const field = host.shadowRoot?.querySelector<HTMLTextAreaElement>('.composer textarea:not([readonly])');
  if (!field) return null;
  const mention = () => {
    onClose();
    // The dialog first gives the focus back.
    setTimeout(() => {
      const at = field.selectionStart;
      const isInWord = /\S$/.test(field.value.slice(0, at));
      typeText(field, at, at, `${isInWord ? ' ' : ''}@**${person.full_name}|${person.user_id}** `);
    });
  };
  return <Button onClick={mention}>{words.mention}</Button>;
}

export interface UserStatus {
  readonly status_text?: string | undefined;
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
}

function Status({ userId }: { userId: number }): JSX.Element | null {
  const { store } = usePeopleWords();
  const { value } = useFetched(
    async (signal) => (await store.session.userStatus.get({ user_id: userId }, { signal })).status,
    [store, userId],
  );
  return <StatusLine status={value} />;
}

/** @param props `none`: what it says without a status */
export function StatusLine({ status, none }: { status: UserStatus | undefined; none?: string }): JSX.Element | null {
  const { status_text, emoji_name, ...emoji } = status ?? {};
  if (!status_text && !emoji_name) return status && none ? <p class="muted">{none}</p> : null;
  return (
    <p class="muted">
      {emoji_name && <StatusEmoji emoji_name={emoji_name} {...emoji} />} {status_text}
    </p>
  );
}

export function StatusEmoji(emoji: Omit<UserStatus, 'status_text'> & { readonly emoji_name: string }): JSX.Element {
  const { store } = usePeopleWords();
  const custom = useCell(store.emoji.custom);
  const { emoji_code = '', reaction_type = '' } = emoji;
  const url = [...custom.values()].find(({ code }) => code === emoji_code)?.url;
  return (
    <EmojiPicture
      {...{ ...emoji, emoji_code, reaction_type }}
      {...(reaction_type === 'realm_emoji' && url !== undefined && { url })}
    />
  );
}

/** Types of custom fields that are more than a text. */
const LONG_TEXT = 2;
const OPTIONS = 3;
const DATE = 4;
const LINK = 5;
const USERS = 6;

interface CustomField {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** JSON. */
  readonly field_data: string;
  readonly value: string;
  /** HTML of a text. */
  readonly rendered: string | undefined;
}

async function customFieldsOf({ session }: ChatStore, user_id: number): Promise<readonly CustomField[]> {
  const [{ custom_fields }, { user }] = await Promise.all([
    session.profileFields.list(),
    session.users.get({ user_id, include_custom_profile_fields: true }),
  ]);
  return custom_fields.flatMap((field) => {
    const { value, rendered_value } = user.profile_data?.[field.id] ?? {};
    return value ? [{ ...field, value, rendered: rendered_value }] : [];
  });
}

function CustomFields({ userId }: { userId: number }): JSX.Element {
  const { store } = usePeopleWords();
  const { value = [] } = useFetched(() => customFieldsOf(store, userId), [store, userId]);
  return (
    <>
      {value.map((field) => (
        <Fact key={field.id} name={field.name}>
          <FieldValue field={field} />
        </Fact>
      ))}
    </>
  );
}

function FieldValue({ field: { type, value, rendered, field_data } }: { field: CustomField }): JSX.Element {
  const { formats } = usePeopleWords();
  if (type === USERS) return <Names ids={JSON.parse(value) as number[]} />;
  if (type === OPTIONS) {
    const options = JSON.parse(field_data || '{}') as Record<string, { text: string }>;
    return <>{options[value]?.text ?? value}</>;
  }
  // A date without a time: in UTC, it is the same everywhere.
  if (type === DATE) {
    const date = new Date(value);
    return <>{date.toLocaleDateString(formats.lang, { dateStyle: 'long', timeZone: 'UTC' })}</>;
  }
  if (type === LINK && /^https?:\/\//i.test(value))
    return (
      <a href={value} target="_blank" rel="noopener noreferrer">
        {value}
      </a>
    );
  return type === LONG_TEXT && rendered ? <MessageContent html={rendered} /> : <span>{value}</span>;
}

function Names({ ids }: { ids: readonly number[] }): JSX.Element {
  const { words, formats } = usePeopleWords();
  const people = usePeople(ids);
  return <>{formats.list(people.map((person) => (person ? personName(person, words) : '…')))}</>;
}

function CommonGroups({ userId }: { userId: number }): JSX.Element | null {
  const { store, words, formats } = usePeopleWords();
  const me = useCell(store.me)?.user_id ?? 0;
  const { value = [] } = useFetched(async () => {
    const groups = await store.people.groups();
    return groups.filter(({ members }) => members.includes(userId) && members.includes(me)).map(({ name }) => name);
  }, [store, userId, me]);
  return <Fact name={words.groupsInCommon}>{value.length > 0 && formats.list(value)}</Fact>;
}

function localTime(timeZone: string | undefined, lang: string): string | undefined {
  if (!timeZone) return undefined;
  try {
    const time = new Date().toLocaleTimeString(lang, { timeZone, hour: 'numeric', minute: '2-digit' });
    return `${time} (${timeZone})`;
  } catch {
    // A time zone that this browser does not know.
    return undefined;
  }
}
