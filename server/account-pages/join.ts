import { ChatError } from '../../lib/index.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, withArticle } from '../../lib/internal.ts';
import { type Html, html, rendered } from '../html.ts';
import type { Page } from '../page.ts';
import {
  accountPage,
  connectedPage,
  EMPTY,
  type FormState,
  field,
  form,
  messageOf,
  type PageRequest,
  problems,
} from './account-page.ts';

type Invitation = Awaited<ReturnType<PageRequest['session']['invites']['preview']>>;

export async function showInvitation(request: PageRequest, key: string): Promise<Page> {
  const { invitation, problem } = await find(request, key);
  if (problem) return problem;
  const show = invitation.must_confirm_address ? addressForm : joinForm;
  return show(request, about(request, invitation), EMPTY, invitation);
}

export async function join(request: PageRequest, key: string): Promise<Page> {
  const { invitation, problem } = await find(request, key);
  if (problem) return problem;
  if (invitation.must_confirm_address) return sendAddressLink(request, key, about(request, invitation));
  const { email = '', full_name = '', password = '' } = await request.form();
  const hasPassword = request.signsInWithPasswords;
  try {
    const joined = await request.session.invites.accept({
      key,
      full_name,
      ...(invitation.email === null ? { email } : {}),
      ...(hasPassword ? { password } : {}),
    });
    await request.rememberNetwork(joined.email);
    const opening = html`<p role="status">Welcome, ${full_name.trim()}. Your account is ready.</p>`;
    const title = `You have joined ${request.organization}`;
    return connectedPage(request.organization, { title, opening }, { ...joined, site: request.site, hasPassword });
  } catch (error) {
    if (isUnusable(error)) return unusable(request, error);
    const values = { full_name, ...(invitation.email === null ? { email } : {}) };
    const state = { values, errors: errorOf(error, values, request.base) };
    return joinForm(request, about(request, invitation), state, invitation);
  }
}

async function find(
  request: PageRequest,
  key: string,
): Promise<{ invitation: Invitation; problem?: undefined } | { invitation?: undefined; problem: Page }> {
  try {
    return { invitation: await request.session.invites.preview({ key }) };
  } catch (error) {
    if (!isUnusable(error)) throw error;
    return { problem: unusable(request, error) };
  }
}

const isUnusable = (error: unknown): error is ChatError =>
  error instanceof ChatError && error.code === 'INVITATION_UNUSABLE';

/** Assigns an error to its field. An error that quotes the address belongs to the e-mail field. */
function errorOf(error: unknown, values: Record<string, string>, base: string): FormState['errors'] {
  const message = messageOf(error);
  const { code } = error as ChatError;
  if (code === 'PASSWORD_TOO_WEAK') return { password: message };
  if (code === 'EMAIL_ALREADY_IN_USE') {
    const text = html`${message} <a href="${base}/accounts/password/reset/">Forgot its password?</a>`;
    return { [values.email === undefined ? '' : 'email']: text };
  }
  const { email } = values;
  if (email !== undefined && (email.trim() === '' || message.includes(email.trim()))) return { email: message };
  return { [/\bname\b/i.test(message) ? 'full_name' : '']: message };
}

const TITLES: Readonly<Record<string, string>> = {
  expired: 'This link has expired',
  revoked: 'This invitation was revoked',
  used: 'This invitation has been used',
};

function unusable({ organization, base }: PageRequest, error: ChatError): Page {
  const reason = String(error.data.reason);
  const wayOut =
    reason === 'used'
      ? html`<p><a href="${base}/accounts/password/reset/">Forgot your password?</a></p>`
      : reason === 'unknown'
        ? html`<p>Check that you copied the whole link. Otherwise ask the sender for a new invitation.</p>`
        : false;
  return accountPage({
    organization,
    title: TITLES[reason] ?? 'Invitation not found',
    status: reason === 'unknown' ? 404 : 410,
    body: html`<p>${error.message}</p>
${wayOut}`,
  });
}

const WHAT_ROLES_DO: Readonly<Record<number, string>> = {
  100: 'Owners can do everything.',
  200: 'Administrators manage users, channels and settings.',
  300: 'Moderators help to manage the conversations.',
  600: 'Guests see only channels they are added to.',
};

/** Describes the invitation: inviter, role, channels and groups. */
function about({ description }: PageRequest, { invited_by, invited_as, channels, groups }: Invitation): Html {
  return html`<p><strong>${invited_by}</strong> has invited you to join as <strong>${withArticle(invited_as as 400)}</strong>. ${WHAT_ROLES_DO[invited_as]}</p>
${description !== '' && html`<div class="card">${rendered(description)}</div>`}
${listOf(
  'Your channels',
  channels.map((name) => `#${name}`),
)}
${listOf('Your groups', groups)}`;
}

/** The e-mail field, if the invitation has no address. */
const addressField = (state: FormState) =>
  field(
    {
      name: 'email',
      label: 'Your e-mail address',
      type: 'email',
      autocomplete: 'email',
      hint: 'You log in with this address.',
    },
    state,
  );

/** Asks for the e-mail address, for a reusable invitation link. @param about text about the invitation */
function addressForm({ organization }: PageRequest, about: Html, state: FormState): Page {
  return accountPage({
    title: `Join ${organization}`,
    organization,
    form: state,
    body: html`${problems(state)}
${about}
<h2 id="account">Your address</h2>
<p>We send you an e-mail with a link. Open the link to choose a name and join.</p>
${form('account', [addressField(state)], 'Send the link')}`,
  });
}

/** Responds the same whether the account exists or not. @throws InvitationUnusable */
async function sendAddressLink(request: PageRequest, key: string, about: Html): Promise<Page> {
  const { organization, session } = request;
  const { email = '' } = await request.form();
  await request.countEmail('invited-email');
  try {
    await session.invites.confirmAddress({ key, email });
  } catch (error) {
    return addressForm(request, about, { values: { email }, errors: { email: messageOf(error) } });
  }
  return accountPage({
    title: 'Check your e-mail',
    organization,
    body: html`<p role="status">We sent a link to <strong>${email.trim()}</strong>. Open it within 24 hours to join ${organization}.</p>
<p>No e-mail after a few minutes? Check the spam folder and the address. We send at most two links per hour.</p>
<p><a href="">Try another address</a></p>`,
  });
}

function joinForm(
  { organization, signsInWithPasswords }: PageRequest,
  about: Html,
  state: FormState,
  { email, expiry_date }: Invitation,
): Page {
  const isForMany = email === null;
  const fields = [
    isForMany
      ? addressField(state)
      : field(
          {
            name: 'email',
            label: 'Your e-mail address',
            type: 'email',
            autocomplete: 'username',
            value: email,
            readonly: true,
          },
          EMPTY,
        ),
    field(
      {
        name: 'full_name',
        label: 'Your name',
        autocomplete: 'name',
        minlength: 2,
        maxlength: 100,
        hint: 'Other users see this name.',
      },
      state,
    ),
    signsInWithPasswords &&
      field(
        {
          name: 'password',
          label: 'Choose a password',
          type: 'password',
          autocomplete: 'new-password',
          minlength: MIN_PASSWORD_LENGTH,
          maxlength: MAX_PASSWORD_LENGTH,
          hint: `At least ${MIN_PASSWORD_LENGTH} characters, and not your name or address.`,
        },
        state,
      ),
  ];
  return accountPage({
    title: `Join ${organization}`,
    organization,
    form: state,
    body: html`${problems(state)}
${about}
<h2 id="account">Your account</h2>
${form('account', fields, `Join ${organization}`)}
${expiry_date !== null && html`<p class="hint">The invitation expires on <time datetime="${new Date(expiry_date * 1000).toISOString()}">${dateAndTime(expiry_date)}</time>.</p>`}`,
  });
}

/** Maximum number of names to list. */
const MAX_NAMED = 12;

function listOf(heading: string, names: readonly string[]) {
  if (names.length === 0) return false;
  const more = names.length - MAX_NAMED;
  return html`<h2>${heading}</h2>
<ul>${names.slice(0, MAX_NAMED).map((name) => html`<li>${name}</li>`)}${more > 0 && html`<li>and ${more} more</li>`}</ul>`;
}

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** UTC, because the time zone of the reader is unknown. */
const dateAndTime = (seconds: number) => `${FORMAT.format(seconds * 1000)} UTC`;
