/** Pending invitations: the list, and actions for each. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Session } from '../../chat/session.ts';
import { Button, ErrorText } from '../buttons.tsx';
import { useCell, usePeople } from '../context.ts';
import { ActionForm, Dialog } from '../dialog.tsx';
import { Icon } from '../icons.tsx';
import { UNUSED_NAME, useFetched } from '../refusal.ts';
import { addStyles } from '../style-sheets.ts';
import { usePeopleWords } from '../words/people-words.ts';
import { Field, LimitedList } from './controls.tsx';
import { useAction, useMay } from './hooks.ts';
import lists from './lists.css';
import { Menu, MenuItem } from './menu.tsx';

addStyles(lists);

export type Invitation = Awaited<ReturnType<Session['invites']['list']>>['invites'][number];

export type Invitations = ReturnType<typeof useInvitations>;

/** Parameters that only ask for permission. */
export const ASKS = {
  'invites.send': { invitee_emails: UNUSED_NAME, stream_ids: [] },
  'invites.createMultiuse': { stream_ids: [] },
} as const;

/** Whether the user may invite, and the pending invitations. The store has no event for them. */
export function useInvitations() {
  const { store } = usePeopleWords();
  const [version, setVersion] = useState(0);
  const mayMail = useMay('invites.send', ASKS['invites.send']);
  const mayLink = useMay('invites.createMultiuse', ASKS['invites.createMultiuse']);
  const isOffered = mayMail || mayLink;
  const list = useFetched(
    async () => (isOffered ? (await store.session.invites.list({ include_links: true })).invites : []),
    [isOffered, version],
  );
  return { mayMail, mayLink, isOffered, list, refresh: () => setVersion((before) => before + 1) };
}

export function PendingInvitations({ invitations }: { invitations: Invitations }): JSX.Element {
  const { words } = usePeopleWords();
  const { list, refresh } = invitations;
  const pending = list.value ?? [];
  return (
    <>
      <ErrorText action={list} />
      {pending.length > 0 && (
        <details class="invitations" onToggle={refresh}>
          <summary>{words.pendingInvitations(pending.length)}</summary>
          <ul class="rows">
            <LimitedList items={pending}>
              {(invitation) => (
                <InvitationLine
                  key={`${invitation.is_multiuse} ${invitation.id}`}
                  invitation={invitation}
                  refresh={refresh}
                />
              )}
            </LimitedList>
          </ul>
        </details>
      )}
    </>
  );
}

function InvitationLine({ invitation, refresh }: { invitation: Invitation; refresh(): void }): JSX.Element {
  const { store, words, formats } = usePeopleWords();
  const [asked, setAsked] = useState<'link' | 'resend' | 'revoke'>();
  const { id, email, is_multiuse, invited_as, invited_by_user_id, expiry_date, email_state, email_error, link_url } =
    invitation;
  const me = useCell(store.me);
  const [inviter] = usePeople([invited_by_user_id]);
  const name = email ?? words.inviteLink;
  const { invites } = store.session;
  const details = [
    words.roleNames[invited_as],
    invited_by_user_id !== me?.user_id && inviter && words.invitedBy(inviter.full_name),
    expiry_date && words.expires(formats.full(expiry_date * 1000)),
    email_state === 'none' && words.noEmail,
    email_error,
  ];
  const act = async () => {
    if (asked === 'resend') await invites.resend({ invite_id: id });
    else await invites[is_multiuse ? 'revokeMultiuse' : 'revoke']({ invite_id: id });
    refresh();
  };
  const close = () => setAsked(undefined);
  return (
    <li class="channel-line">
      <Icon name={is_multiuse ? 'link' : 'at'} />
      <div class="channel-text">
        <b dir="auto">{name}</b>
        <p class="muted">{details.filter(Boolean).join(' · ')}</p>
      </div>
      <Menu
        label={words.moreOf(name)}
        items={() => (
          <>
            {link_url && <MenuItem onClick={() => setAsked('link')}>{words.copyLink}</MenuItem>}
            {email && email_state !== 'none' && (
              <MenuItem onClick={() => setAsked('resend')}>{words.resendInvitation}</MenuItem>
            )}
            <MenuItem onClick={() => setAsked('revoke')}>{words.revokeInvitation}</MenuItem>
          </>
        )}
      />
      {asked && (
        <Dialog title={name} onClose={close}>
          {asked === 'link' ? (
            <LinkField label={words.inviteLink} link={link_url ?? ''} />
          ) : (
            <ActionForm
              submit={asked === 'resend' ? words.resendInvitation : words.revokeInvitation}
              isDangerous={asked === 'revoke'}
              run={act}
              onClose={close}
            >
              {asked === 'revoke' && <p>{words.revokeQuestion}</p>}
            </ActionForm>
          )}
        </Dialog>
      )}
    </li>
  );
}

/** A link to copy, also by hand: without https, browsers do not allow pages to copy. */
export function LinkField({ label, link }: { label: string; link: string }): JSX.Element {
  const { words, announce } = usePeopleWords();
  const action = useAction();
  const [isCopied, setCopied] = useState(false);
  const write = async () => {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      throw new Error(words.copyFailed);
    }
    setCopied(true);
    announce(words.linkCopied);
  };
  return (
    <div class="form-line">
      <ErrorText action={action} />
      <Field label={label} value={link} onInput={() => undefined} isReadonly />
      <Button onClick={() => action.run(write)}>{isCopied ? words.copied : words.copyLink}</Button>
    </div>
  );
}
