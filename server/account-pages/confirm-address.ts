import type { Page } from '../page.ts';
import { type FormState, field, form, problems } from './fields.ts';
import { type Html, html } from './html.ts';
import { accountPage } from './layout.ts';
import { messageOf, type PageRequest } from './page-request.ts';

/** For an address that is not known yet. */
export const addressField = (state: FormState) =>
  field(
    { name: 'email', label: 'Your e-mail address', type: 'email', autocomplete: 'email', hint: 'You sign in with it.' },
    state,
  );

/** Asks whoever has a link for many which address is theirs. @param about what the invitation is about */
export function addressForm({ organization }: PageRequest, about: Html, state: FormState): Page {
  return accountPage({
    title: `Join ${organization}`,
    organization,
    form: state,
    body: html`${problems(state)}
${about}
<h2 id="account">Your address</h2>
<p>You get a link by e-mail, by which you choose a name and join.</p>
${form('account', [addressField(state)], 'Send the link')}`,
  });
}

/** The answer is the same whether or not there is an account with the address. @throws InvitationUnusable */
export async function sendAddressLink(request: PageRequest, key: string, about: Html): Promise<Page> {
  const { organization, session } = request;
  const { email = '' } = await request.form();
  request.countEmail('invited-email');
  try {
    await session.invites.confirmAddress({ key, email });
  } catch (error) {
    return addressForm(request, about, { values: { email }, errors: { email: messageOf(error) } });
  }
  return accountPage({
    title: 'Look into your mail',
    organization,
    body: html`<p role="status">A link is on its way to <strong>${email.trim()}</strong>. Open it within a day to join ${organization}.</p>
<p>Nothing there after some minutes? Look where unwanted mail is put, and whether the address is right. No more than two links are sent in an hour.</p>
<p><a href="">Try another address</a></p>`,
  });
}
