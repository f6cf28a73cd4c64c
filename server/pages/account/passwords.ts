import { isChatError } from '../../../lib/index.ts';
import { html } from '../html.ts';
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
  NEW_PASSWORD,
  newPassword,
  type PageRequest,
} from './account-page.ts';
import { codeField } from './second-factor.ts';

export async function requestReset(request: PageRequest): Promise<Page> {
  if (!request.signsInWithPasswords || !request.sendsEmail) return impossible(request);
  if (!request.isSubmitted) return requestForm(request, EMPTY);
  const { email = '' } = await request.form();
  await request.countEmail('email');
  try {
    await request.session.passwords.requestReset({ email });
  } catch (error) {
    return requestForm(request, { values: { email }, errors: { email: messageOf(error) } });
  }
  const sent = html`If there is an account with the address <strong>${email.trim()}</strong>, we sent a link to it. The link works for 24 hours.`;
  return linkSentPage(request.organization, sent);
}

function impossible({ organization, signsInWithPasswords }: PageRequest): Page {
  const reason = signsInWithPasswords
    ? `This server does not send e-mail. Ask an administrator of ${organization} for a link to set a new password.`
    : `${organization} does not use passwords. Ask an administrator how to log in.`;
  return accountPage(organization, {
    title: 'You cannot set a password here',
    status: 404,
    body: html`<p>${reason}</p>`,
  });
}

function requestForm({ organization }: PageRequest, state: FormState): Page {
  const email = field(
    { name: 'email', label: 'E-mail address of your account', type: 'email', autocomplete: 'username' },
    state,
  );
  const about = html`<p id="form">We send you an e-mail with a link to choose a new password.</p>`;
  const page = { title: 'Forgot your password?', organization };
  return formPage(page, state, about, { fields: [email], button: 'Send the link' });
}

type Account = Awaited<ReturnType<PageRequest['session']['passwords']['checkReset']>>;

export async function reset(request: PageRequest, token: string): Promise<Page> {
  const { session, organization, base } = request;
  const account = await accountOf(session, token);
  if (!account) return deadLink(organization, base);
  // Showing the form does not use up the link: mail programs open links to check them.
  if (!request.isSubmitted) return resetForm(account, EMPTY);
  const { new_password = '', again = '', code, keep_api_key } = await request.form();
  if (new_password !== again)
    return resetForm(account, { values: {}, errors: { again: 'The passwords do not match.' } });
  try {
    const given = { token, new_password, code, keep_api_key: keep_api_key !== undefined };
    const { email, api_key } = await session.passwords.reset(given);
    await request.rememberNetwork(email);
    const opening = html`<p role="status">${account.full_name}, you can now log in with your new password.${given.keep_api_key ? '' : ' Log in again in your apps.'}</p>`;
    if (api_key === undefined) return logInPage(request, { title: 'You have a new password', opening });
    return connectedPage(request, { email, api_key }, { title: 'Your password is set', opening, hasPassword: true });
  } catch (error) {
    const name = isChatError(error, 'SECOND_FACTOR_NEEDED') ? 'code' : 'new_password';
    return resetForm(account, { values: {}, errors: { [name]: messageOf(error) } });
  }
}

const accountOf = (session: PageRequest['session'], token: string): Promise<Account | undefined> =>
  session.passwords.checkReset({ token }).catch((error: unknown) => {
    messageOf(error);
    return undefined;
  });

function resetForm({ email, realm_name, needs_code }: Account, state: FormState): Page {
  const fields = [
    fixedEmail('Your account', email),
    newPassword('new_password', 'New password', state),
    field({ name: 'again', label: 'Repeat the password', ...NEW_PASSWORD }, state),
    needs_code && codeField(state, 'From your authenticator app, or a recovery code.'),
    html`<div class="field choice">
<input type="checkbox" id="keep_api_key" name="keep_api_key" value="true" aria-describedby="keep_api_key-hint">
<div><label for="keep_api_key">Keep my other apps logged in</label>
<span class="hint" id="keep_api_key-hint">Leave this unchecked if another person may have had access to your account.</span></div>
</div>`,
  ];
  const about = html`<p id="form">Use it to log in to ${realm_name}.</p>`;
  const page = { title: 'Choose a new password', organization: realm_name };
  return formPage(page, state, about, { fields, button: 'Set the password' });
}

const deadLink = (organization: string, base: string) =>
  accountPage(organization, {
    title: 'This link does not work',
    status: 404,
    body: html`<p>The link was already used, is too old, or your password or address has changed since.</p>
<p><a href="${base}/accounts/password/reset/">Request a new link</a>, or ask an administrator for a link.</p>`,
  });
