import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { accountPage, EMPTY, formPage, messageOf, type PageRequest } from './account-page.ts';

/**
 * Turns off e-mails of a kind. Showing the page does not: mail programs open links to check them. Their button
 * "Unsubscribe" posts to the page (RFC 8058).
 */
export async function unsubscribe(
  { session, organization, isSubmitted, form }: PageRequest,
  token: string,
): Promise<Page> {
  if (!isSubmitted) {
    const about = html`<p id="form">You stop getting e-mails of this kind from ${organization}. You can undo it.</p>`;
    const title = 'Stop these e-mails?';
    return formPage({ title, organization }, EMPTY, about, { fields: [], button: 'Stop these e-mails' });
  }
  const { is_undone } = await form();
  try {
    const changed = await session.settings.unsubscribe({ token, is_undone: is_undone === 'true' });
    return changedPage(organization, changed);
  } catch (error) {
    return accountPage(organization, {
      title: 'This link does not work',
      status: 404,
      body: html`<p>${messageOf(error)}</p>`,
    });
  }
}

const ABOUT = {
  mentions: 'direct messages and mentions',
  'followed topics': 'topics that you follow',
  digest: 'unread messages of the week',
  channel: 'messages in',
};

type Changed = Awaited<ReturnType<PageRequest['session']['settings']['unsubscribe']>>;

function changedPage(organization: string, { kind, channel_name, is_on }: Changed): Page {
  const about = html`${ABOUT[kind]}${channel_name !== undefined && html` <strong>#${channel_name}</strong>`}`;
  const undo = html`<form method="post">
<input type="hidden" name="is_undone" value="${is_on ? 'false' : 'true'}">
<p><button type="submit">${is_on ? 'Stop these e-mails' : 'Undo'}</button></p>
</form>`;
  const says = is_on
    ? html`<p role="status">You get e-mails about ${about} again, while you are away.</p>`
    : html`<p role="status">You get no more e-mails about ${about}.</p>`;
  const title = is_on ? 'E-mails are on again' : 'E-mails are off';
  return accountPage(organization, { title, form: EMPTY, body: html`${says}\n${undo}` });
}
