import { ChatError, type DataOf, isChatError } from '../../../lib/index.ts';
import { type Entered, MAX_PASSWORD_LENGTH, operationNamed, SECOND_FACTOR_PROBLEMS } from '../../../lib/internal.ts';
import { browserName, unlessRefused } from '../../authentication.ts';
import { recordOf } from '../../request-record.ts';
import { type Html, html } from '../html.ts';
import { type Page, redirectTo } from '../page.ts';
import { accountPage, EMPTY, type FormState, field, messageOf, type PageRequest, problems } from './account-page.ts';
import { appOtp, appQuery, enterApp, schemeAfter } from './app-login.ts';
import { codePage, recoveryCodesPage, setUpPage } from './second-factor.ts';

/** Characters. */
const MAX_EMAIL = 250;

/** Where a login leads: to this page again, which sees whether the browser has kept the cookie. */
const ENTERED = 'login?entered';

async function showLogin(request: PageRequest): Promise<Page> {
  if (appOtp(request) === undefined && (await isLoggedIn(request))) return moved('./');
  const isEntered = /\?entered$/.test(request.req.url ?? '');
  const blocked =
    'This browser blocks cookies, so it cannot stay logged in. Allow cookies for this site. Then log in again.';
  return loginPage(request, isEntered ? { values: {}, errors: { '': blocked } } : EMPTY);
}

/** Whether the request has a login that still works. */
export async function isLoggedIn({ context, req }: Pick<PageRequest, 'context' | 'req'>): Promise<boolean> {
  const { transport, authentication } = context;
  const identity = await unlessRefused(authentication.identify(req, 'spectator'));
  if (!identity || identity.userId === null) return false;
  const caller = { ...identity, client: 'website' };
  return (await unlessRefused(transport.engine.call(operationNamed('users.me'), caller))) !== undefined;
}

type Fields = Awaited<ReturnType<PageRequest['form']>>;

export async function logIn(request: PageRequest): Promise<Page> {
  if (!request.isSubmitted) return showLogin(request);
  const sent = await request.form();
  const first = sent.sealed === undefined ? {} : await request.context.transport.unsealForm(sent.sealed);
  if (!first) {
    const late = 'This took longer than 10 minutes. Log in again.';
    return loginPage(request, { values: {}, errors: { '': late } });
  }
  // Only the server chooses the key of an authenticator app.
  const form: Fields = { ...sent, url: undefined, ...first };
  const { email = '', key_email = '' } = form;
  // Before the password is checked.
  const account = form.url === undefined ? undefined : await request.context.transport.accountAt(email.trim());
  try {
    return await entered(request, await accountOf(request, form));
  } catch (error) {
    if (isChatError(error, 'SECOND_FACTOR_NEEDED'))
      return secondStep(request, form, { reason: error.data.reason, account });
    if (!(error instanceof ChatError) || error.status === 429) throw error;
    return loginPage(request, { values: { email, key_email }, errors: { '': messageOf(error) } });
  }
}

/** The page after the right password of an account that has a second factor, or needs one. */
async function secondStep(
  request: PageRequest,
  { email = '', password = '', code, url: known }: Fields,
  { reason, account }: DataOf<'SECOND_FACTOR_NEEDED'> & { account: Entered | undefined },
): Promise<Page> {
  const { chat, transport } = request.context;
  if (reason !== 'not_set_up') {
    const sealed = await transport.sealForm({ email, password });
    return codePage(request, sealed, reason === 'code_wrong' ? SECOND_FACTOR_PROBLEMS.code_wrong : undefined);
  }
  const session = chat.as(email.trim(), { client: 'website' });
  let error: string | undefined;
  let begun: string | undefined;
  if (account && known !== undefined && code !== undefined) {
    try {
      const { recovery_codes } = await session.secondFactor.confirm({ code });
      await request.rememberNetwork(email);
      // An app gets its key only after a fresh login.
      const cookie = appOtp(request) === undefined ? await newLogin(request, account) : undefined;
      return recoveryCodesPage(request, recovery_codes, { cookie });
    } catch (refusal) {
      error = messageOf(refusal);
      if (isChatError(refusal, 'UNAUTHORIZED')) return loginPage(request, { values: { email }, errors: { '': error } });
      // Otherwise it is too late: the set-up begins again.
      if (isChatError(refusal, 'SECOND_FACTOR_NEEDED')) begun = known;
    }
  }
  const url = begun ?? (await session.secondFactor.begin({ password })).url;
  const sealed = await transport.sealForm({ email, password, url });
  return setUpPage(request, { url, sealed, isRequired: true, error });
}

/** @throws ChatError */
async function accountOf(
  { context, req }: PageRequest,
  { email = '', password = '', code, key_email = '', api_key, demo }: Fields,
): Promise<Entered> {
  const { authentication, rateLimits, passwordLimits, transport, web } = context;
  const example = web.demoAccounts.find(({ user_id }) => String(user_id) === demo);
  if (example) return { userId: example.user_id };
  if (api_key !== undefined) return authentication.byKey(req, key_email, api_key);
  const record = recordOf(req);
  const caller = {
    userId: null,
    client: 'website',
    browser: browserName(req.headers['user-agent'] ?? ''),
    ...(rateLimits ? { network: rateLimits.addressOf(req) } : {}),
    ...(passwordLimits ? { countGuess: passwordLimits.guesses(req) } : {}),
    ...(record ? { request: record.id } : {}),
  };
  const attempt = async () => {
    const answer = await transport.engine.call(operationNamed('fetchApiKey'), caller, {
      username: email,
      password,
      code,
    });
    return answer as { email: string; api_key: string };
  };
  const { email: address, api_key: key } = await (passwordLimits?.signIn(req, email, attempt) ?? attempt());
  return transport.authenticate(address, key);
}

const entered = (request: PageRequest, account: Entered, root = ''): Promise<Page> =>
  enterChat(request, account, { otp: appOtp(request), root });

/**
 * Logs in the browser, or the app that has opened the page.
 * @param options `root`: relative path from the page to the root of the chat
 */
export async function enterChat(
  request: PageRequest,
  account: Entered,
  { otp, root }: { otp: string | undefined; root: string },
): Promise<Page> {
  if (otp !== undefined) return enterApp(request, account, otp);
  const cookie = await newLogin(request, account);
  return { ...moved(root + ENTERED), cookies: cookie === undefined ? [] : [cookie] };
}

/**
 * The `Set-Cookie` header that logs an account in. Undefined without a login page. It replaces the login of this browser,
 * which ends: open tabs of it notice at once.
 */
export async function newLogin(request: PageRequest, account: Entered): Promise<string | undefined> {
  const { cookie } = request.context.web;
  if (!cookie) return undefined;
  await endLogin(request);
  return cookie.begin(request.req, account);
}

/** The link that a demo prints. A request for its headers alone does not use it up: previews of links send one. */
export async function useDemoLink(request: PageRequest, secret: string): Promise<Page> {
  const { context, req, organization } = request;
  const isUse = req.method === 'GET';
  const userId = context.web.demoLogin(secret, { isUse });
  if (userId !== undefined) return isUse ? entered(request, { userId }, '../') : moved(`../${ENTERED}`);
  return accountPage(organization, {
    title: 'This link does not work',
    status: 404,
    body: html`<p>The link was already used, or is older than an hour.</p>
<p><a class="button" href="../login">Log in</a></p>`,
  });
}

function showLogout({ organization }: PageRequest): Page {
  const body = html`<form method="post" aria-labelledby="form">
<p id="form">This browser will be logged out. Other browsers and apps stay logged in.</p>
<p><button type="submit">Log out</button></p>
</form>`;
  return accountPage(organization, { title: 'Log out', body, form: EMPTY });
}

export async function logOut(request: PageRequest): Promise<Page> {
  if (!request.isSubmitted) return showLogout(request);
  await endLogin(request);
  return moved('login', request.context.web.cookie?.end(request.req) ?? '');
}

/** Ends the login on the server too: the cookie may have been copied. */
async function endLogin({ context, req }: PageRequest): Promise<void> {
  const { transport, authentication } = context;
  const identity = await unlessRefused(authentication.identify(req, 'spectator'));
  if (identity?.login?.kind !== 'cookie') return;
  const caller = { ...identity, client: 'website' };
  const values = { token_id: identity.login.id };
  await unlessRefused(transport.engine.call(operationNamed('tokens.revoke'), caller, values));
}

/** The address is relative, so that it is right behind a proxy that removes a prefix. Browsers keep the fragment. */
const moved = (location: string, cookie?: string): Page =>
  redirectTo(location, { 'Referrer-Policy': 'no-referrer', ...(cookie ? { 'Set-Cookie': cookie } : {}) }, 303);

async function loginPage(request: PageRequest, state: FormState): Promise<Page> {
  const { organization, icon, takesPasswords, signsInWithPasswords, sendsEmail, hasLoginNames } = request;
  const { chat, web } = request.context;
  const login = (name: string, hasNames = false) =>
    field(
      {
        ...(hasNames ? { name, label: 'E-mail or user name' } : { name, label: 'E-mail', type: 'email' }),
        ...{ autocomplete: 'username', maxlength: MAX_EMAIL },
      },
      state,
    );
  const secret = (name: string, label: string, autocomplete: string) =>
    field({ name, label, type: 'password', autocomplete, maxlength: MAX_PASSWORD_LENGTH }, state);
  const byPassword = html`<form method="post" aria-label="Log in with your password">
${login('email', hasLoginNames)}
${secret('password', 'Password', 'current-password')}
<p><button type="submit">Log in</button></p>
${sendsEmail && signsInWithPasswords && html`<p><a href="accounts/password/reset/">Forgot your password?</a></p>`}
</form>`;
  const byKey = html`<form method="post" aria-label="Log in with an API key">
${login('key_email')}
${secret('api_key', 'API key', 'off')}
<p><button type="submit">Log in with the API key</button></p>
</form>`;
  const users = await Promise.all(web.demoAccounts.map(({ user_id }) => unlessRefused(chat.as(user_id).users.me())));
  const demoAccounts = web.demoAccounts.filter((_, at) => users[at]);
  const demo = html`<form method="post" class="accounts" aria-labelledby="demo">
<h2 id="demo">Try the demo as</h2>
${demoAccounts.map(
  ({ user_id, full_name, role }) =>
    html`<p><button name="demo" value="${user_id}">${full_name} <small>${role}</small></button></p>\n`,
)}</form>`;
  const query = appQuery(appOtp(request));
  const body = html`${problems(state)}
${await providerButtons(request, query)}
${demoAccounts.length > 0 && html`${demo}\n<h2>Log in to another account</h2>`}
${takesPasswords && byPassword}
${
  takesPasswords
    ? html`<details${state.values.key_email ? html` open` : false}>
<summary>Log in with an API key</summary>
${byKey}
</details>`
    : byKey
}
${providerLogouts(request)}`;
  return accountPage(organization, {
    title: `Log in to ${organization}`,
    icon,
    body,
    form: state,
    leadsTo: schemeAfter(request),
  });
}

/** Shown if the embedding program has a login of its own, and the user is not logged in there. */
export function hostLoginPage(): Page {
  const body = html`<p>Log in on the site that this chat belongs to. Then open this page again.</p>`;
  return accountPage('Parlance', { title: 'You are not logged in', body, status: 401 });
}

/**
 * The buttons of the providers. They lead to the base URL, because the provider sends the browser back there.
 * @param query to add to each address
 */
async function providerButtons({ context, site }: PageRequest, query: string): Promise<Html | false> {
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
function providerLogouts({ context, site }: PageRequest): Html | false {
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
