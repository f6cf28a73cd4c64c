import { type Html, html } from '../html.ts';
import type { PageRequest } from './account-page.ts';

/**
 * The buttons of the providers. They lead to the base URL, because the provider sends the browser back there.
 * @param query to add to each address
 */
export async function providerButtons({ context, site }: PageRequest, query: string): Promise<Html | false> {
  const { providers } = context.web;
  if (providers.length === 0) return false;
  const reachable = await Promise.all(providers.map((provider) => provider.isReachable()));
  return html`<div class="providers">
${providers.map(({ name, path }, at) =>
  reachable[at]
    ? html`<p><a class="button" href="${site}${path}${query}">Log in with ${name}</a></p>\n`
    : html`<p class="hint">${name} does not answer. Try again later.</p>\n`,
)}</div>`;
}

/** Links to log out at the providers. A logout of the chat does not end the login there. */
export function providerLogouts({ context, site }: PageRequest): Html | false {
  const named = context.web.providers.filter(({ hasLogout }) => hasLogout);
  return (
    named.length > 0 &&
    html`${named.map(
      ({
        name,
        path,
      }) => html`<p class="hint">On a shared computer, <a href="${site}${path}/logout">log out of ${name}</a> too.</p>
`,
    )}`
  );
}
