import { ChatError, isChatError } from '../../../lib/index.ts';
import { type CatalogueOperation, MAX_PASSWORD_LENGTH, operationNamed } from '../../../lib/internal.ts';
import { unlessRefused } from '../../authentication.ts';
import { html } from '../html.ts';
import { type Page, redirectTo } from '../page.ts';
import { accountPage, EMPTY, type FormState, field, formPage, messageOf, type PageRequest } from './account-page.ts';
import { hostLoginPage } from './login.ts';
import { codeField, recoveryCodesPage, setUpPage } from './second-factor.ts';

interface State {
  is_on: boolean;
  is_required: boolean;
  recovery_codes_left: number;
}

/** Operations as the account of the browser. */
type Call = <T>(name: CatalogueOperation['name'], values?: Record<string, string>) => Promise<T>;

/** The page on which users turn their second factor on and off. The settings of the web app link to it. */
export async function secondFactorPage(request: PageRequest): Promise<Page> {
  const { context, req } = request;
  const { transport, authentication, web } = context;
  const identity = await unlessRefused(authentication.identify(req, 'spectator'));
  const call: Call = async <T>(name: CatalogueOperation['name'], values: Record<string, string> = {}) =>
    (await transport.engine.call(operationNamed(name), { ...identity, client: 'website' }, values)) as T;
  const userId = identity?.userId ?? null;
  const state = userId === null ? undefined : await unlessRefused(call<State>('secondFactor.get'));
  if (userId === null || !state) {
    if (web.cookie) return redirectTo('../login');
    return web.loginUrl === undefined ? hostLoginPage() : redirectTo(web.loginUrl);
  }
  // A right password takes much processor time too.
  if (request.isSubmitted) await context.rateLimits?.take(req, userId);
  if (state.is_on) return changeFactor(request, state, call);
  return turnOn(request, state, call, userId);
}

/** Turns the second factor off, or replaces its recovery codes. */
async function changeFactor(request: PageRequest, state: State, call: Call): Promise<Page> {
  const { organization, isSubmitted } = request;
  if (!isSubmitted) return onPage(request, state, EMPTY);
  const { code = '', renew } = await request.form();
  try {
    if (renew !== undefined) {
      const { recovery_codes } = await call<{ recovery_codes: string[] }>('secondFactor.renewCodes', { code });
      return recoveryCodesPage(request, recovery_codes, { status: 'The earlier recovery codes no longer work.' });
    }
    await call('secondFactor.remove', { code });
  } catch (error) {
    return onPage(request, state, { values: {}, errors: { code: messageOf(error) } });
  }
  const next = state.is_required
    ? 'Your role needs one: your next login asks you to set it up again.'
    : 'You log in with your password only.';
  return accountPage(organization, {
    title: 'Your second factor is off',
    body: html`<p role="status">${next}</p>
<p><a class="button" href="">Set it up again</a></p>`,
  });
}

function onPage({ organization }: PageRequest, { recovery_codes_left: left }: State, form: FormState): Page {
  const about = html`<p role="status">Your second factor is on. Recovery codes left: ${left}.</p>
<h2 id="form">Change it</h2>
<p>For a new phone, turn it off and set it up again. New recovery codes replace the earlier ones.</p>`;
  const fields = [codeField(form, 'From your authenticator app, or a recovery code.')];
  const other = html` <button name="renew" value="true">Get new recovery codes</button>`;
  return formPage({ title: 'Second factor', organization }, form, about, { fields, button: 'Turn off', other });
}

async function turnOn(request: PageRequest, state: State, call: Call, userId: number): Promise<Page> {
  const { isSubmitted } = request;
  const { transport, passwordLimits } = request.context;
  if (!isSubmitted) return offPage(request, state, EMPTY);
  const { password = '', sealed, code = '' } = await request.form();
  const url = sealed === undefined ? undefined : (await transport.unsealForm(sealed))?.url;
  if (sealed !== undefined && url !== undefined) {
    try {
      const { recovery_codes } = await call<{ recovery_codes: string[] }>('secondFactor.confirm', { code });
      return recoveryCodesPage(request, recovery_codes);
    } catch (error) {
      // Too late: the set-up has to begin again.
      if (!isChatError(error, 'SECOND_FACTOR_NEEDED'))
        return offPage(request, state, { values: {}, errors: { password: messageOf(error) } });
      return setUpPage(request, { url, sealed, isRequired: false, error: messageOf(error) });
    }
  }
  try {
    const begin = () => call<{ url: string }>('secondFactor.begin', { password });
    const begun = await (passwordLimits?.ownPassword(userId, begin) ?? begin());
    return setUpPage(request, { ...begun, sealed: await transport.sealForm(begun), isRequired: false });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    return offPage(request, state, { values: {}, errors: { password: messageOf(error) } });
  }
}

function offPage({ organization }: PageRequest, { is_required: isRequired }: State, form: FormState): Page {
  const about = html`<p>With a second factor, a login needs your password and a code of an app on your phone. A stolen password is not enough then.</p>
${isRequired && html`<p>Your role in ${organization} needs it from your next login on.</p>`}
<p id="form">You need an authenticator app, such as the one of your password manager. Logins and API keys that exist keep working.</p>`;
  const password = field(
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      maxlength: MAX_PASSWORD_LENGTH,
    },
    form,
  );
  return formPage({ title: 'Second factor', organization }, form, about, { fields: [password], button: 'Set it up' });
}
