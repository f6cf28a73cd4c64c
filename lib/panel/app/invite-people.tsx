/** The dialog that invites people: by e-mail, or with a link for many. */

import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isChatError } from '../../base/chat-error.ts';
import { Button, ErrorText, Form } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { Dialog } from '../dialog.tsx';
import { useFetched } from '../refusal.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { Field, LimitedList } from './controls.tsx';
import { Choice } from './form-controls.tsx';
import { isAllowed, useAction } from './hooks.ts';
import { ASKS, type Invitation, type Invitations, LinkField } from './invitations.tsx';
import { ChannelIcon } from './place-names.tsx';

const ROLES = [100, 200, 300, 400, 600] as const;
const MEMBER = 400;
const DAY_MINUTES = 1440;
const NEVER = -1;
/** The server takes no more with one invitation. */
const MAX_CHANNELS = 1000;

/** What an invitation gives. */
interface Chosen {
  readonly invite_as: (typeof ROLES)[number];
  readonly stream_ids: readonly number[];
  readonly include_realm_default_subscriptions: boolean;
}

/** The new invitations, or the new link. */
type Result = { readonly invited: readonly Invitation[] } | { readonly link: string };

/** An address and the reason against it. */
type Skipped = readonly (readonly [address: string, reason: string, ...unknown[]])[];

/** The server separates addresses by commas, semicolons and lines only: names have spaces. */
const separated = (addresses: string) => addresses.replaceAll(/(@[^\s,;]+)\s+(?=[^\s,;<]+@)/g, '$1\n');

interface InviteDialogProps {
  invitations: Invitations;
  onClose(): void;
}

export function InviteDialog({ invitations, onClose }: InviteDialogProps): JSX.Element {
  const { words } = usePeopleWords();
  const inviting = useInviting(invitations);
  const { result } = inviting;
  return (
    <Dialog title={words.invitePeople} onClose={onClose}>
      {result ? (
        <div class="dialog-form">
          <ResultText result={result} />
          <Outcome inviting={inviting} />
          <footer>
            {'invited' in result && <LinkButton invitations={invitations} inviting={inviting} />}
            <Button kind="primary" onClick={onClose}>
              {words.close}
            </Button>
          </footer>
        </div>
      ) : (
        <InviteForm invitations={invitations} inviting={inviting} />
      )}
    </Dialog>
  );
}

type Inviting = ReturnType<typeof useInviting>;

/** What the user has chosen, what sends it, and what the server answered. */
function useInviting({ list, refresh }: Invitations) {
  const { store } = usePeopleWords();
  const { session } = store;
  const me = useCell(store.me);
  const action = useAction();
  const [addresses, setAddresses] = useState('');
  const [chosen, setChosen] = useState<Chosen>({
    invite_as: MEMBER,
    stream_ids: [],
    include_realm_default_subscriptions: true,
  });
  const [minutes, setMinutes] = useState(0);
  const [skipped, setSkipped] = useState<Skipped>([]);
  const [result, setResult] = useState<Result>();
  /** Of the user's second factor. Undefined until the server asks for it. */
  const [code, setCode] = useState<string>();
  const change = (part: Partial<Chosen>) => setChosen((before) => ({ ...before, ...part }));
  const offer = {
    ...chosen,
    ...(minutes !== 0 && { invite_expires_in_minutes: minutes === NEVER ? null : minutes }),
    ...(code && { code }),
  };
  const askForCode = (error: unknown): never => {
    if (isChatError(error, 'SECOND_FACTOR_NEEDED') && error.data.reason !== 'not_set_up') setCode('');
    throw error;
  };
  const sendAll = async () => {
    setSkipped([]);
    try {
      await session.invites.send({ ...offer, invitee_emails: separated(addresses) }).catch(askForCode);
    } catch (error) {
      if (!isChatError(error, 'INVITATION_FAILED')) throw error;
      setSkipped(error.data.errors);
      if (!error.data.sent_invitations) throw error;
    }
    const known = new Set(list.value?.map(({ id }) => id));
    // The server has sent the invitations: a failure here must not suggest otherwise.
    const { invites } = await session.invites.list({ include_links: true }).catch(() => ({ invites: [] }));
    refresh();
    const isNew = ({ id, is_multiuse, invited_by_user_id }: Invitation) =>
      !is_multiuse && invited_by_user_id === me?.user_id && !known.has(id);
    setResult({ invited: invites.filter(isNew) });
  };
  const createLink = () =>
    action.run(async () => {
      setSkipped([]);
      const { invite_link } = await session.invites.createMultiuse(offer).catch(askForCode);
      refresh();
      setResult({ link: invite_link });
    });
  const send = () => action.run(sendAll);
  return {
    ...{ addresses, setAddresses, chosen, change, minutes, setMinutes },
    ...{ action, skipped, result, send, createLink, code, setCode },
  };
}

interface PartProps {
  invitations: Invitations;
  inviting: Inviting;
}

function InviteForm({ invitations, inviting }: PartProps): JSX.Element {
  const { store, words } = usePeopleWords();
  const me = useCell(store.me);
  const { mayMail, mayLink } = invitations;
  const { chosen, change, minutes, setMinutes, action, send, createLink, code, setCode } = inviting;
  return (
    <Form class="dialog-form" onSubmit={mayMail ? send : createLink}>
      {mayMail && <Addresses inviting={inviting} />}
      <Choice
        label={words.role}
        value={chosen.invite_as}
        // The server refuses roles above the own one.
        options={ROLES.filter((value) => value >= (me?.role ?? MEMBER)).map(
          (value) => [value, words.roleNames[value] ?? ''] as const,
        )}
        onChange={(invite_as) => change({ invite_as })}
      />
      <Choice
        label={words.inviteExpires}
        value={minutes}
        options={[
          [0, words.inviteExpiresDefault],
          ...[1, 7, 30].map((days) => [days * DAY_MINUTES, words.days(days)] as const),
          [NEVER, words.never],
        ]}
        onChange={(value) => setMinutes(value)}
      />
      <Channels operation={mayLink ? 'invites.createMultiuse' : 'invites.send'} chosen={chosen} change={change} />
      {code !== undefined && (
        <Field label={words.code} autocomplete="one-time-code" value={code} onInput={setCode} isRequired />
      )}
      <Outcome inviting={inviting} />
      <footer>
        <LinkButton invitations={invitations} inviting={inviting} />
        {mayMail && (
          <Button kind="primary" isSubmit isDisabled={action.isRunning}>
            {words.sendInvitations}
          </Button>
        )}
      </footer>
    </Form>
  );
}

function Addresses({ inviting: { addresses, setAddresses } }: { inviting: Inviting }): JSX.Element {
  const { words } = usePeopleWords();
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {words.inviteAddresses}
      </label>
      <textarea
        id={id}
        rows={2}
        value={addresses}
        required
        autofocus
        dir="auto"
        onInput={(event) => setAddresses(event.currentTarget.value)}
      />
    </div>
  );
}

function LinkButton({ invitations: { mayMail, mayLink }, inviting: { action, createLink } }: PartProps) {
  const { words } = usePeopleWords();
  if (!mayLink) return null;
  return (
    <Button kind={mayMail ? undefined : 'primary'} isDisabled={action.isRunning} onClick={createLink}>
      {words.createLink}
    </Button>
  );
}

/** Why the last attempt failed, and which addresses it left out. */
function Outcome({ inviting: { action, skipped } }: { inviting: Inviting }): JSX.Element {
  return (
    <>
      <ErrorText action={action} />
      {skipped.length > 0 && (
        <ul class="plain-list">
          {skipped.map(([address, reason]) => (
            <li key={address}>
              <b>{address}</b> {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The form with the focus has closed. */
const focus = (element: HTMLElement | null) => element?.focus();

function ResultText({ result }: { result: Result }): JSX.Element {
  const { words } = usePeopleWords();
  const isLink = 'link' in result;
  const invited = isLink ? [] : result.invited;
  const isMailed = invited.every(({ email_state }) => email_state !== 'none');
  const hasLinks = invited.every(({ link_url }) => link_url);
  return (
    <>
      <p ref={focus} tabIndex={-1}>
        {isLink
          ? words.inviteLinkHint
          : isMailed
            ? words.invitationsSent
            : hasLinks
              ? words.notMailed
              : words.notMailedAsk}
      </p>
      {isLink && <LinkField label={words.inviteLink} link={result.link} />}
      <ul class="plain-list">
        {invited.map(({ id, email = '', link_url }) => (
          <li key={id}>{!isMailed && link_url ? <LinkField label={email} link={link_url} /> : <b>{email}</b>}</li>
        ))}
      </ul>
    </>
  );
}

// Default channels, and all others if the user may subscribe others to them.

interface ChannelsProps {
  operation: keyof typeof ASKS;
  chosen: Chosen;
  change(part: Partial<Chosen>): void;
}

function Channels({ operation, chosen, change }: ChannelsProps): JSX.Element | null {
  const { stream_ids, include_realm_default_subscriptions: joinsDefaults } = chosen;
  const { words, formats } = usePeopleWords();
  const { value, error } = useOfferedChannels(operation);
  if (!value) return <ErrorText action={{ error }} />;
  const { defaults, others } = value;
  if (defaults.length + others.length === 0) return null;
  return (
    <fieldset>
      <legend>{words.channels}</legend>
      <div class="choices">
        {defaults.length > 0 && (
          <label class="choice">
            <input
              type="checkbox"
              checked={joinsDefaults}
              onChange={() => change({ include_realm_default_subscriptions: !joinsDefaults })}
            />
            {words.defaultChannels(formats.list(defaults.map(({ name }) => name)))}
          </label>
        )}
        <LimitedList items={others}>
          {(channel) => {
            const { stream_id, name } = channel;
            const isChosen = stream_ids.includes(stream_id);
            const toggled = isChosen ? stream_ids.filter((id) => id !== stream_id) : [...stream_ids, stream_id];
            return (
              <label key={stream_id} class="choice">
                <input type="checkbox" checked={isChosen} onChange={() => change({ stream_ids: toggled })} />
                <ChannelIcon channel={channel} />
                {name}
              </label>
            );
          }}
        </LimitedList>
      </div>
    </fieldset>
  );
}

function useOfferedChannels(operation: keyof typeof ASKS) {
  const { store, formats } = usePeopleWords();
  return useFetched(async () => {
    const { streams } = await store.session.channels.list({ include_default: true });
    const sorted = streams.sort((a, b) => a.name.localeCompare(b.name, formats.lang));
    const others = sorted.filter((channel) => !channel.is_default).slice(0, MAX_CHANNELS);
    const stream_ids = others.map(({ stream_id }) => stream_id);
    return {
      defaults: sorted.filter((channel) => channel.is_default),
      others: (await isAllowed(store, operation, { ...ASKS[operation], stream_ids })) ? others : [],
    };
  }, [operation]);
}
