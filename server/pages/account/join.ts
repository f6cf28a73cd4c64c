import { type ChatError, isChatError } from '../../../lib/index.ts';
import { codeOf, withArticle } from '../../../lib/internal.ts';
import { Html, html } from '../html.ts';
import type { Page } from '../page.ts';
import {
  accountPage,
  connectedPage,
  EMPTY,
  type FormState,
  field,
  fixedEmail,
  formPage,
  linkSentPage,
  logInPage,
  messageOf,
  newPassword,
  type PageRequest,
} from './account-page.ts';
import { newLogin } from './login.ts';

type Invitation = Awaited<ReturnType<PageRequest['session']['invites']['preview']>>;

export async function join(request: PageRequest, key: string): Promise<Page> {
  try {
    const invitation = await request.session.invites.preview({ key });
    const answer = invitation.must_confirm_address ? confirmAddress : createAccount;
    return await answer(request, key, invitation);
  } catch (error) {
    if (isChatError(error, 'INVITATION_UNUSABLE')) return unusable(request, error);
    throw error;
  }
}

async function createAccount(request: PageRequest, key: string, invitation: Invitation): Promise<Page> {
  const { session, organization, base, signsInWithPasswords: hasPassword } = request;
  if (!request.isSubmitted) return accountForm(request, invitation, EMPTY);
  const { email = '', full_name = '', password = '' } = await request.form();
  const values = { full_name, ...(invitation.email === null ? { email } : {}) };
  try {
    const joined = await request.limitJoining(() =>
      session.invites.accept({ key, ...values, ...(hasPassword ? { password } : {}) }),
    );
    await request.rememberNetwork(joined.email);
    const title = `You have joined ${organization}`;
    const opening = html`<p role="status">Welcome, ${full_name.trim()}. Your account is ready.</p>`;
    const { api_key } = joined;
    if (api_key === undefined) return logInPage(request, { title, opening });
    const cookie = hasPassword && (await newLogin(request, { userId: joined.user_id }));
    return connectedPage(request, { ...joined, api_key }, { title, opening, hasPassword, cookie });
  } catch (error) {
    if (isChatError(error, 'INVITATION_UNUSABLE')) throw error;
    return accountForm(request, invitation, { values, errors: errorOf(error, values, base) });
  }
}

/** For a reusable invitation link: sends a link to the address of the user. */
async function confirmAddress(request: PageRequest, key: string, invitation: Invitation): Promise<Page> {
  const { organization, session } = request;
  if (!request.isSubmitted) return addressForm(request, invitation, EMPTY);
  const { email = '' } = await request.form();
  await request.countEmail('invited-email');
  try {
    await session.invites.confirmAddress({ key, email });
  } catch (error) {
    return addressForm(request, invitation, { values: { email }, errors: { email: messageOf(error) } });
  }
  const sent = html`We sent a link to <strong>${email.trim()}</strong>. Open it within 24 hours to join ${organization}.`;
  return linkSentPage(organization, sent);
}

/** Assigns an error to its field. An error that quotes the address belongs to the e-mail field. */
function errorOf(error: unknown, values: Record<string, string>, base: string): FormState['errors'] {
  const message = messageOf(error);
  const code = codeOf(error);
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
  return accountPage(organization, {
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

/** Inviter, role, channels and groups. */
function aboutInvitation({ description }: PageRequest, { invited_by, invited_as, channels, groups }: Invitation): Html {
  return html`<p><strong>${invited_by}</strong> has invited you to join as <strong>${withArticle(invited_as as 400)}</strong>. ${WHAT_ROLES_DO[invited_as]}</p>
${description !== '' && html`<div class="card">${new Html(description)}</div>`}
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

function addressForm(request: PageRequest, invitation: Invitation, state: FormState): Page {
  const { organization, icon } = request;
  const about = html`${aboutInvitation(request, invitation)}
<h2 id="form">Your address</h2>
<p>We send you an e-mail with a link. Open the link to choose a name and join.</p>`;
  const page = { title: `Join ${organization}`, organization, icon };
  return formPage(page, state, about, { fields: [addressField(state)], button: 'Send the link' });
}

function accountForm(request: PageRequest, invitation: Invitation, state: FormState): Page {
  const { organization, icon, signsInWithPasswords } = request;
  const { email, expiry_date } = invitation;
  const fields = [
    email === null ? addressField(state) : fixedEmail('Your e-mail address', email),
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
    signsInWithPasswords && newPassword('password', 'Choose a password', state),
  ];
  const title = `Join ${organization}`;
  const about = html`${aboutInvitation(request, invitation)}\n<h2 id="form">Your account</h2>`;
  const after = expiry_date === null ? undefined : expiryHint(expiry_date);
  return formPage({ title, organization, icon }, state, about, { fields, button: title, after });
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

/** In UTC, because the time zone of the reader is unknown. */
const expiryHint = (seconds: number) =>
  html`<p class="hint">The invitation expires on <time datetime="${new Date(seconds * 1000).toISOString()}">${FORMAT.format(seconds * 1000)} UTC</time>.</p>`;
