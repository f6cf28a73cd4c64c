import { randomUUID } from 'node:crypto';
import { ChatError, StorageError } from '../../../lib/index.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, uploadedPicture } from '../../../lib/internal.ts';
import { RequestBody } from '../../body.ts';
import type { ListenerContext } from '../../context.ts';
import { EMAIL_RULES } from '../../rate-limits.ts';
import { type Html, type HtmlPage, html, htmlPage } from '../html.ts';
import type { Page, PageCall } from '../page.ts';

/** Bytes. A password may have 1000 characters, each up to 12 bytes when encoded. */
const MAX_FORM = 32 * 1024;

/** A request for an account page, and the data for the page. */
export type PageRequest = Awaited<ReturnType<typeof pageRequest>>;

/** @throws RateLimitHit, CsrfFailed for a form of another site */
export async function pageRequest(context: ListenerContext, { req, res, base }: Omit<PageCall, 'path'>) {
  const { chat, transport, rateLimits, authentication } = context;
  const { baseUrl: site, mail } = transport.engine.options;
  await rateLimits?.takeByAddress(req, 'pages_by_ip');
  authentication.checkSameSite(req);
  const session = chat.anonymous({ client: 'website' });
  const settings = await session.serverSettings.get();
  const { realm_name, realm_description, email_auth_enabled } = settings;
  return {
    context,
    req,
    session,
    organization: realm_name,
    /** HTML. */
    description: realm_description,
    /** The server address for apps. */
    site,
    base,
    /** The icon of the organization, if it has one: a path on this host. */
    icon: uploadedPicture(settings.realm_icon),
    /** Whether the user has sent the form. Otherwise the page only shows it. */
    isSubmitted: req.method === 'POST',
    signsInWithPasswords: email_auth_enabled,
    /** Also of a directory. */
    takesPasswords: settings.authentication_methods.password === true,
    /** Whether people may log in with a name that is not an address. */
    hasLoginNames: !settings.require_email_format_usernames,
    sendsEmail: mail !== undefined,
    /** The fields of the submitted form. */
    form: async (): Promise<Readonly<Record<string, string | undefined>>> =>
      (await new RequestBody(req, res, MAX_FORM).form())?.fields ?? {},
    /** Counts an e-mail for the rate limit. @throws RateLimitHit */
    countEmail: async (rule: keyof typeof EMAIL_RULES) => rateLimits?.takeByAddress(req, EMAIL_RULES[rule]),
    /** Runs the creation of an account with its rate limit. @throws RateLimitHit */
    limitJoining: <T>(accept: () => Promise<T>) => rateLimits?.join(req, accept) ?? accept(),
    /** Records that the user logged in from this network. */
    rememberNetwork: async (email: string) => {
      if (rateLimits) await transport.rememberNetwork(email, rateLimits.addressOf(req));
    },
  };
}

/** The message of an error for the user. @throws other errors */
export function messageOf(error: unknown): string {
  if (error instanceof ChatError && error.status < 429) return error.message;
  throw error;
}

const STYLE = `
body { font-size: 1.0625rem }
header { font-weight: 600 }
.icon { display: block; margin-bottom: .5rem; border-radius: .75rem }
.field { margin: 1.25rem 0 }
label { display: block; font-weight: 600 }
.hint, .error { display: block }
.hint { color: var(--quiet); font-size: .9375rem }
.error { color: var(--wrong); font-weight: 600 }
input:not([type=checkbox]) { width: 100%; margin-top: .25rem; padding: .625rem .75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--ground); color: inherit; font: inherit }
input[readonly] { background: var(--raised) }
input[aria-invalid] { border: 2px solid var(--wrong) }
.choice { display: grid; grid-template-columns: auto 1fr; column-gap: .75rem; align-items: start }
.choice input { width: 1.375rem; height: 1.375rem; margin: .125rem 0 }
button, .button { display: inline-block; min-height: 2.75rem; padding: .625rem 1.25rem; border: 0; border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
.accounts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .5rem }
.accounts h2 { grid-column: 1 / -1; margin: 1rem 0 .25rem } .accounts p { margin: 0 }
.accounts button { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; width: 100%;
  border: 1px solid var(--line); background: var(--raised); color: var(--text); text-align: start }
.accounts small { flex: none; color: var(--quiet); font-weight: 400 }
.problem { margin: 1.25rem 0; padding: .75rem 1rem; border: 2px solid var(--wrong); border-radius: .5rem }
.problem h2 { margin: 0 } .problem p { margin: .25rem 0 0 }
.card { margin: .75rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--raised) }
.card > :first-child { margin-top: 0 } .card > :last-child { margin-bottom: 0 }
.qr svg { display: block; width: 14rem; max-width: 100%; height: auto; border-radius: .5rem }
dt { font-weight: 600 } dd { margin: 0 0 .75rem }
@media (max-width: 26rem) { pre { font-size: .8125rem } }
`;

interface AccountPage extends Pick<HtmlPage, 'title' | 'status'> {
  body: Html;
  /** Of the organization, for people who do not know this server yet. */
  icon?: string | undefined;
  /** The state of the form, if the page has a form. With errors, the status is 400 by default. */
  form?: FormState;
  headers?: HtmlPage['headers'];
  leadsTo?: HtmlPage['leadsTo'];
}

/** A page for users without an account or a password. */
export function accountPage(
  organization: string,
  { title, body, icon, form, headers, leadsTo, ...more }: AccountPage,
): Page {
  const isWrong = form !== undefined && Object.keys(form.errors).length > 0;
  const isNamed = title.includes(organization);
  const picture = icon !== undefined && html`<img class="icon" src="${icon}" alt="" width="64" height="64">`;
  return htmlPage({
    title: `${isWrong ? 'Error: ' : ''}${title}${isNamed ? '' : ` – ${organization}`}`,
    heading: title,
    header: icon === undefined && isNamed ? undefined : html`${picture}${!isNamed && organization}`,
    main: body,
    footer: 'Team chat by Parlance',
    style: STYLE,
    hasPictures: icon !== undefined,
    mayPost: true,
    leadsTo,
    status: more.status ?? (isWrong ? 400 : 200),
    headers: {
      'Cache-Control': 'no-store',
      // The URL contains a secret, so other sites must not get it as the referrer. Pages with a form need
      // 'same-origin': with 'no-referrer', browsers send the form without its origin.
      'Referrer-Policy': form ? 'same-origin' : 'no-referrer',
      'X-Robots-Tag': 'noindex',
      ...headers,
    },
  });
}

/** The page for an error that no form shows. @param page for the log */
export function failurePage({ transport }: ListenerContext, page: string, error: unknown): Page {
  if (error instanceof ChatError) {
    const { 'retry-after': retryAfter } = error.data;
    return accountPage('Parlance', {
      title: error.status === 429 ? 'Too many attempts' : 'That did not work',
      status: error.status,
      body: html`<p>${error.message}</p>`,
      ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
    });
  }
  const id = randomUUID();
  transport.engine.logger.error({ error, id, page }, 'page failed');
  return accountPage('Parlance', {
    title: 'Something went wrong',
    status: error instanceof StorageError ? 503 : 500,
    body: html`<p>Nothing was changed. Try again later. If it fails again, give this ID to an administrator: ${id}.</p>`,
  });
}

/** Values and errors of a form. Passwords are never shown again. */
export interface FormState {
  values: Readonly<Record<string, string>>;
  /** Errors by field. The key '' is for errors without a field. */
  errors: Readonly<Record<string, string | Html>>;
}

export const EMPTY: FormState = { values: {}, errors: {} };

export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  readonly?: boolean;
  minlength?: number;
  maxlength?: number;
}

/** A field with its label, hint and error. */
export function field(
  { name, label, type = 'text', autocomplete, hint, readonly = false, minlength, maxlength }: Field,
  { values, errors }: FormState,
): Html {
  const error = errors[name];
  const described = [...(error ? [`${name}-error`] : []), ...(hint ? [`${name}-hint`] : [])].join(' ');
  const shown = type === 'password' ? undefined : values[name];
  const isFirstWrong = error !== undefined && Object.keys(errors)[0] === name;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${error !== undefined && html`<span class="error" id="${name}-error">${error}</span>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${attribute('value', shown)}${attribute('minlength', minlength)}${attribute('maxlength', maxlength)}${attribute('aria-describedby', described || undefined)}${error !== undefined && html` aria-invalid="true"`}${isFirstWrong && html` autofocus`}${readonly ? html` readonly` : html` required`}${type !== 'text' && html` autocapitalize="none" spellcheck="false"`}>
</div>`;
}

const attribute = (name: string, value: string | number | undefined) =>
  value !== undefined && html` ${name}="${value}"`;

/** The address of an account, which the user cannot change. Password managers save it with the new password. */
export const fixedEmail = (label: string, email: string) =>
  field(
    { name: 'email', label, type: 'email', autocomplete: 'username', readonly: true },
    { values: { email }, errors: {} },
  );

export const NEW_PASSWORD = { type: 'password', autocomplete: 'new-password', maxlength: MAX_PASSWORD_LENGTH } as const;

export function newPassword(name: string, label: string, state: FormState): Html {
  const hint = `At least ${MIN_PASSWORD_LENGTH} characters, and not your name or address.`;
  return field({ name, label, ...NEW_PASSWORD, minlength: MIN_PASSWORD_LENGTH, hint }, state);
}

/** Responds the same whether the account exists or not. */
export function linkSentPage(organization: string, sent: Html): Page {
  return accountPage(organization, {
    title: 'Check your e-mail',
    body: html`<p role="status">${sent}</p>
<p>No e-mail after a few minutes? Check the spam folder and the address. We send at most two links per hour.</p>
<p><a href="">Try another address</a></p>`,
  });
}

/** The errors above the form, with links to their fields. */
export function problems({ errors }: FormState): Html | false {
  const all = Object.entries(errors);
  if (all.length === 0) return false;
  return html`<div class="problem" role="alert">
<h2>That did not work</h2>
${all.map(([name, error]) =>
  name === ''
    ? html`<p>${error}</p>`
    : html`<p>${typeof error === 'string' ? html`<a href="#${name}">${error}</a>` : error}</p>`,
)}
</div>`;
}

interface FormParts {
  fields: readonly (Html | false)[];
  button: string;
  /** A second button. */
  other?: Html | undefined;
  after?: Html | undefined;
}

/**
 * A page with a form that posts to the URL of the page, below the errors of the last attempt.
 * @param about with an element that names the form, by its ID `form`
 */
export function formPage(
  { title, organization, ...more }: { title: string; organization: string } & Pick<AccountPage, 'icon' | 'leadsTo'>,
  state: FormState,
  about: Html,
  { fields, button, other, after }: FormParts,
): Page {
  const body = html`${problems(state)}
${about}
<form method="post" aria-labelledby="form">
${fields}
<p><button type="submit">${button}</button>${other}</p>
</form>
${after}`;
  return accountPage(organization, { title, form: state, body, ...more });
}

/** For a role that needs a second factor: the login sets it up. */
export const logInPage = (
  { context, organization, base }: PageRequest,
  { title, opening }: { title: string; opening: Html },
): Page =>
  accountPage(organization, {
    title,
    body: html`${opening}${context.web.cookie && html`<p><a class="button" href="${base}/login">Log in</a></p>`}`,
  });

/**
 * Leads to the web app, and shows how to connect an app and a program. Shows the API key once. No URL contains it.
 * @param given `hasPassword`: whether the user has chosen a password; `cookie`: logs the browser in
 */
export function connectedPage(
  { context, organization, site, base }: PageRequest,
  { email, api_key }: { email: string; api_key: string },
  given: { title: string; opening: Html; hasPassword: boolean; cookie?: string | false | undefined },
): Page {
  const { title, opening, hasPassword, cookie } = given;
  const zuliprc = `[api]\nemail=${email}\nkey=${api_key}\nsite=${site}\n`;
  const download = `data:application/octet-stream;base64,${Buffer.from(zuliprc).toString('base64')}`;
  const body = html`${opening}
${context.web.isOn && html`<p><a class="button" href="${base}/">Open ${organization}</a></p>`}
<h2>Connect an app</h2>
<p>Use any Zulip app, for example the mobile app or Zulip Terminal. It asks for:</p>
<dl class="card">
<dt>Organization or server address</dt><dd><code>${site}</code></dd>
<dt>E-mail</dt><dd><code>${email}</code></dd>
${hasPassword && html`<dt>Password</dt><dd>The password you have just chosen.</dd>`}
</dl>
<h2>Connect a program</h2>
<p>Programs, bots and the command line use your API key. Anyone with this key can act as you: keep it secret, like a password. This page does not show it again.</p>
<pre id="zuliprc">${zuliprc}</pre>
<p><a class="button" download="zuliprc" href="${download}">Download as a zuliprc file</a></p>
<p class="hint">Save it as <code>~/.zuliprc</code>. Only you should be able to read this file.</p>`;
  return accountPage(organization, { title, body, ...(cookie && { headers: { 'Set-Cookie': cookie } }) });
}
