import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../lib/internal.ts';
import type { Page } from '../page.ts';
import { connectedPage } from './connected.ts';
import { EMPTY, type FormState, field, form, problems } from './fields.ts';
import { html } from './html.ts';
import { accountPage } from './layout.ts';
import { messageOf, type PageRequest } from './page-request.ts';
import { problemPage } from './problem.ts';

interface Account {
  email: string;
  full_name: string;
  realm_name: string;
}

/** Looking uses nothing up: mail programs open links to see what is behind them. */
export async function showReset({ session, organization, base }: PageRequest, token: string): Promise<Page> {
  const account = await accountOf(session, token);
  return account ? resetForm(account, EMPTY) : deadLink(organization, base);
}

export async function reset(request: PageRequest, token: string): Promise<Page> {
  const { session, organization, base } = request;
  const account = await accountOf(session, token);
  if (!account) return deadLink(organization, base);
  const { new_password = '', again = '', keep_api_key } = await request.form();
  if (new_password !== again)
    return resetForm(account, { values: {}, errors: { again: 'This is not the same password.' } });
  try {
    const given = { token, new_password, keep_api_key: keep_api_key !== undefined };
    const { email, api_key } = await session.passwords.reset(given);
    await request.rememberNetwork(email);
    const opening = html`<p role="status">Your password is set, and you are signed in as ${account.full_name}.${given.keep_api_key ? '' : ' Apps that you were signed in with ask you to sign in again.'}</p>`;
    return connectedPage(
      organization,
      { title: 'Your password is set', opening },
      { site: request.site, email, api_key, hasPassword: true },
    );
  } catch (error) {
    return resetForm(account, { values: {}, errors: { new_password: messageOf(error) } });
  }
}

async function accountOf(session: PageRequest['session'], token: string): Promise<Account | undefined> {
  try {
    return await session.passwords.checkReset({ token });
  } catch (error) {
    messageOf(error);
    return undefined;
  }
}

function resetForm({ email, realm_name }: Account, state: FormState): Page {
  const password = { type: 'password', autocomplete: 'new-password', maxlength: MAX_PASSWORD_LENGTH } as const;
  const fields = [
    field(
      { name: 'email', label: 'Your account', type: 'email', autocomplete: 'username', value: email, readonly: true },
      EMPTY,
    ),
    field(
      {
        ...password,
        name: 'new_password',
        label: 'New password',
        minlength: MIN_PASSWORD_LENGTH,
        hint: `At least ${MIN_PASSWORD_LENGTH} characters, and not your name or address.`,
      },
      state,
    ),
    field({ ...password, name: 'again', label: 'The same again' }, state),
    html`<div class="field choice">
<input type="checkbox" id="keep_api_key" name="keep_api_key" value="true" aria-describedby="keep_api_key-hint">
<div><label for="keep_api_key">Keep my other apps signed in</label>
<span class="hint" id="keep_api_key-hint">Leave this empty if somebody else may have got into your account.</span></div>
</div>`,
  ];
  return accountPage({
    title: 'Choose a new password',
    organization: realm_name,
    form: state,
    body: html`${problems(state)}
<p id="about">With it you sign in to ${realm_name}.</p>
${form('about', fields, 'Set the password')}`,
  });
}

const deadLink = (organization: string, base: string) =>
  problemPage(organization, {
    title: 'This link does not work',
    status: 404,
    body: html`<p>It may have been used already, be more than a day old, or belong to a password or an address that you have changed since.</p>
<p><a href="${base}/accounts/password/reset/">Have another link sent to you</a>, or ask an administrator for one.</p>`,
  });
