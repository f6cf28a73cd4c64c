import type { Page } from '../page.ts';
import { type FormState, field, form, problems } from './fields.ts';
import { type Html, html } from './html.ts';
import { accountPage } from './layout.ts';
import { messageOf, type PageRequest } from './page-request.ts';

/** The e-mail field, if the invitation has no address. */
export const addressField = (state: FormState) =>
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
export function addressForm({ organization }: PageRequest, about: Html, state: FormState): Page {
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
    title: 'Check your e-mail',
    organization,
    body: html`<p role="status">We sent a link to <strong>${email.trim()}</strong>. Open it within 24 hours to join ${organization}.</p>
<p>No e-mail after a few minutes? Check the spam folder and the address. We send at most two links per hour.</p>
<p><a href="">Try another address</a></p>`,
  });
}
