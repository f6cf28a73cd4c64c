import { Html, html } from '../html.ts';
import type { Page } from '../page.ts';
import { accountPage, EMPTY, type FormState, field, formPage, type PageRequest } from './account-page.ts';
import { appOtp, appQuery, schemeAfter } from './app-login.ts';

/** Characters. */
const MAX_CODE = 100;

export const codeField = (state: FormState, hint?: string) =>
  field(
    {
      name: 'code',
      label: 'Code',
      autocomplete: 'one-time-code',
      maxlength: MAX_CODE,
      ...(hint === undefined ? {} : { hint }),
    },
    state,
  );

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;

const stateOf = (error: string | undefined): FormState =>
  error === undefined ? EMPTY : { values: {}, errors: { code: error } };

/** Asks for the code after the password. @param sealed address and password */
export function codePage(request: PageRequest, sealed: string, error?: string): Page {
  const { organization } = request;
  const state = stateOf(error);
  const about = html`<p id="form">Enter the code that your authenticator app shows for ${organization}.</p>`;
  const after = html`<p class="hint">Lost your phone and your recovery codes? Ask an administrator to reset your second factor.</p>`;
  const fields = [hidden('sealed', sealed), codeField(state, 'Without your phone, enter a recovery code.')];
  const page = { title: 'Enter your code', organization, leadsTo: schemeAfter(request) };
  return formPage(page, state, about, { fields, button: 'Log in', after });
}

/**
 * Shows the secret for an authenticator app, and asks for its first code.
 * @param given `sealed`: what the next request needs; `isRequired`: the login goes on only afterwards
 */
export async function setUpPage(
  { organization }: PageRequest,
  given: { url: string; sealed: string; isRequired: boolean; error?: string | undefined },
): Promise<Page> {
  const { url, sealed, isRequired, error } = given;
  const state = stateOf(error);
  // Loaded only now: few requests need it.
  const { renderSVG } = await import('uqr');
  const secret = new URL(url).searchParams.get('secret') ?? '';
  const about = html`${isRequired && html`<p>Your role in ${organization} needs a second factor. Set it up to log in.</p>`}
<p id="form">Scan this picture with an authenticator app. Then enter the code that the app shows.</p>
<div role="img" aria-label="QR code of the key below" class="qr">${new Html(renderSVG(url, { border: 4 }))}</div>
<p>No camera? Type this key into the app: <code>${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>`;
  const fields = [hidden('sealed', sealed), codeField(state)];
  return formPage({ title: 'Set up your second factor', organization }, state, about, { fields, button: 'Turn on' });
}

/**
 * Shows the recovery codes once. An app waits for a new login.
 * @param given `cookie`: logs the browser in; `status`: what has changed
 */
export function recoveryCodesPage(
  request: PageRequest,
  codes: readonly string[],
  {
    cookie,
    status = 'Your second factor is on. From now on, a login with your password needs a code of your app.',
  }: {
    cookie?: string | undefined;
    status?: string;
  } = {},
): Page {
  const { context, organization, base } = request;
  const otp = appOtp(request);
  const next =
    otp === undefined
      ? context.web.isOn && html`<p><a href="${base}/">I have saved them. Open ${organization}</a></p>`
      : html`<p><a href="${base}/login${appQuery(otp)}">I have saved them. Log in to the app</a></p>`;
  const text = `${codes.join('\n')}\n`;
  const download = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;
  const body = html`<p role="status">${status}</p>
<p>Save these recovery codes, for example in your password manager. If you lose your phone, each of them works once instead of a code. This page does not show them again.</p>
<pre id="recovery-codes">${text}</pre>
<p><a class="button" download="recovery-codes.txt" href="${download}">Download the codes</a></p>
${next}`;
  const headers = cookie === undefined ? {} : { headers: { 'Set-Cookie': cookie } };
  return accountPage(organization, { title: 'Save your recovery codes', body, ...headers });
}
