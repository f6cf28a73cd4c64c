import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { accountPage, EMPTY, formPage, messageOf, type PageRequest } from './account-page.ts';

/** Confirms a new address. Showing the page does not: mail programs open links to check them. */
export async function confirmEmail(
  { session, organization, isSubmitted, form }: PageRequest,
  token: string,
): Promise<Page> {
  const title = 'Confirm your new e-mail address';
  const about = html`<p id="form">Your account in ${organization} gets this address. Log in with it from then on.</p>`;
  if (!isSubmitted)
    return formPage({ title, organization }, EMPTY, about, { fields: [], button: 'Confirm the address' });
  await form();
  try {
    const { email } = await session.settings.confirmEmail({ token });
    return accountPage(organization, {
      title: 'Your address was changed',
      body: html`<p role="status">Your account now has the address <strong>${email}</strong>. Apps and programs need it too.</p>`,
    });
  } catch (error) {
    return accountPage(organization, {
      title: 'This link does not work',
      status: 404,
      body: html`<p>${messageOf(error)}</p>`,
    });
  }
}
