import type { Page } from '../page.ts';
import { EMPTY, type FormState, field, form, problems } from './fields.ts';
import { html } from './html.ts';
import { accountPage } from './layout.ts';
import { messageOf, type PageRequest } from './page-request.ts';
import { problemPage } from './problem.ts';

export async function showRequest(request: PageRequest): Promise<Page> {
  return impossible(request) ?? requestForm(request, EMPTY);
}

/** Responds the same whether the account exists or not. */
export async function requestReset(request: PageRequest): Promise<Page> {
  const problem = impossible(request);
  if (problem) return problem;
  const { email = '' } = await request.form();
  request.countEmail('email');
  try {
    await request.session.passwords.requestReset({ email });
  } catch (error) {
    return requestForm(request, { values: { email }, errors: { email: messageOf(error) } });
  }
  return accountPage({
    title: 'Check your e-mail',
    organization: request.organization,
    body: html`<p role="status">If there is an account with the address <strong>${email.trim()}</strong>, we sent a link to it. The link works for 24 hours.</p>
<p>No e-mail after a few minutes? Check the spam folder, and that this is the address of your account. We send at most two links per hour.</p>
<p><a href="">Try another address</a></p>`,
  });
}

function impossible({ organization, signsInWithPasswords, sendsEmail }: PageRequest): Page | undefined {
  const title = 'You cannot set a password here';
  if (!signsInWithPasswords) {
    const body = html`<p>${organization} does not use passwords. Ask an administrator how to log in.</p>`;
    return problemPage(organization, { title, status: 404, body });
  }
  if (sendsEmail) return undefined;
  const body = html`<p>This server does not send e-mail. Ask an administrator of ${organization} for a link to set a new password.</p>`;
  return problemPage(organization, { title, status: 404, body });
}

function requestForm({ organization }: PageRequest, state: FormState): Page {
  const email = field(
    { name: 'email', label: 'E-mail address of your account', type: 'email', autocomplete: 'username' },
    state,
  );
  return accountPage({
    title: 'Forgot your password?',
    organization,
    form: state,
    body: html`${problems(state)}
<p id="about">We send you an e-mail with a link to choose a new password.</p>
${form('about', [email], 'Send the link')}`,
  });
}
