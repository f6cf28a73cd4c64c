import { ChatError } from '../../../lib/index.ts';
import { NotFound } from '../../../lib/internal.ts';
import { clientName } from '../../authentication.ts';
import { recordOf } from '../../request-record.ts';
import { type OidcProvider, ProviderFailed } from '../../sign-in/oidc-provider.ts';
import { html } from '../html.ts';
import { type Page, redirectTo } from '../page.ts';
import { accountPage, type PageRequest } from './account-page.ts';
import { appOtp } from './app-login.ts';
import { enterChat } from './login.ts';

const UNREMEMBERED = { 'Referrer-Policy': 'no-referrer' };

/** A page below `/login/oidc/ID`. */
const forProvider =
  (answer: (request: PageRequest, provider: OidcProvider) => Promise<Page>) =>
  async (request: PageRequest, id: string): Promise<Page> => {
    const provider = request.context.web.providers.find((one) => one.id === id);
    if (!provider) throw new NotFound(`/login/oidc/${id}`);
    try {
      return await answer(request, provider);
    } catch (error) {
      const isForUser = error instanceof ProviderFailed || (error instanceof ChatError && error.status < 429);
      if (!isForUser) throw error;
      return failed(request, error.message, error.status);
    }
  };

/** Leads to the provider. The browser keeps the attempt. */
export const beginProviderLogin = forProvider(async (request, provider) => {
  const { transport, web } = request.context;
  const attempt = await transport.beginAttempt({ provider: provider.id, otp: appOtp(request) ?? '' });
  const location = await provider.loginUrl(attempt);
  const cookie = web.attempts.set(request.req, attempt.text, attempt.maxAge);
  return redirectTo(location, { ...UNREMEMBERED, 'Set-Cookie': cookie });
});

/** The provider has sent the browser back. Another browser has no cookie: a link cannot log a person in as another one. */
export const endProviderLogin = forProvider(async (request, provider) => {
  const { transport, web, rateLimits } = request.context;
  const { req } = request;
  const attempt = await transport.continueAttempt(web.attempts.of(req) ?? '');
  if (attempt?.provider !== provider.id)
    return failed(request, 'This login is too old, was already used, or began in another browser.', 400);
  const { search } = new URL(req.url ?? '/', 'http://localhost');
  const person = await provider.personOf(search, attempt);
  const record = recordOf(req);
  const account = await transport.externalLogin(
    person,
    { adopt: web.adopt, ...provider.rules },
    {
      client: clientName(req),
      ...(rateLimits ? { network: rateLimits.addressOf(req) } : {}),
      ...(record ? { request: record.id } : {}),
    },
  );
  const page = await enterChat(request, account, { otp: attempt.otp || undefined, root: '../../../' });
  return { ...page, cookies: [...(page.cookies ?? []), web.attempts.end(req)] };
});

/** Leads to the page of the provider that logs out there. */
export const leaveProvider = forProvider(async (request, provider) => {
  const location = await provider.logoutUrl();
  return location === undefined
    ? failed(request, `${provider.name} has no page to log out.`, 404)
    : redirectTo(location, UNREMEMBERED);
});

/** An attempt ends with its first answer. */
function failed({ context, req, organization, base }: PageRequest, message: string, status: number): Page {
  return accountPage(organization, {
    title: 'You are not logged in',
    status,
    body: html`<p>${message}</p>
<p><a class="button" href="${base}/login">Log in</a></p>`,
    headers: { 'Set-Cookie': context.web.attempts.end(req) },
  });
}
