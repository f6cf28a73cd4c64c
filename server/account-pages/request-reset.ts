import type { Page } from '../page.ts';
import { EMPTY, type FormState, field, form, problems } from './fields.ts';
import { html } from './html.ts';
import { accountPage } from './layout.ts';
import { messageOf, type PageRequest } from './page-request.ts';
import { problemPage } from './problem.ts';

export async function showRequest(request: PageRequest): Promise<Page> {
  return impossible(request) ?? requestForm(request, EMPTY);
}

/** The answer is the same whether or not there is such an account. */
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
    title: 'Look into your mail',
    organization: request.organization,
    body: html`<p role="status">If there is an account with the address <strong>${email.trim()}</strong>, a link is on its way to it. It works for a day.</p>
<p>Nothing there after some minutes? Look where unwanted mail is put, and whether the address is the one of your account. No more than two links are sent in an hour.</p>
<p><a href="">Try another address</a></p>`,
  });
}

function impossible({ organization, signsInWithPasswords, sendsEmail }: PageRequest): Page | undefined {
  const title = 'No password can be set here';
  if (!signsInWithPasswords) {
    const body = html`<p>${organization} does not sign in with passwords. Ask an administrator how you get in.</p>`;
    return problemPage(organization, { title, status: 404, body });
  }
  if (sendsEmail) return undefined;
  const body = html`<p>This server sends no e-mail. Ask an administrator of ${organization}: they can make a link for you by which you set a new password.</p>`;
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
<p id="about">You get a link by e-mail with which you choose a new one.</p>
${form('about', [email], 'Send the link')}`,
  });
}
