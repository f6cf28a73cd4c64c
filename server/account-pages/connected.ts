import type { Page } from '../page.ts';
import { type Html, html } from './html.ts';
import { accountPage } from './layout.ts';

/** Who has just come in. */
export interface Connected {
  site: string;
  email: string;
  api_key: string;
  /** Whether a password was chosen. */
  hasPassword: boolean;
}

/** What to do next: the address for an app, and the key for programs. It is shown once and stands in no address. */
export function connectedPage(
  organization: string,
  { title, opening }: { title: string; opening: Html },
  { site, email, api_key, hasPassword }: Connected,
): Page {
  const zuliprc = `[api]\nemail=${email}\nkey=${api_key}\nsite=${site}\n`;
  const download = `data:application/octet-stream;base64,${Buffer.from(zuliprc).toString('base64')}`;
  const body = html`${opening}
<h2>Connect an app</h2>
<p>Any Zulip app will do, such as the one for phones or Zulip Terminal. It asks for:</p>
<dl class="card">
<dt>Organization or server address</dt><dd><code>${site}</code></dd>
<dt>E-mail</dt><dd><code>${email}</code></dd>
${hasPassword && html`<dt>Password</dt><dd>The one you have just chosen.</dd>`}
</dl>
<h2>Connect a program</h2>
<p>Programs, bots and the command line sign in with your API key. Who has it acts as you, so keep it as you keep a password. This page will not show it again.</p>
<pre id="zuliprc">${zuliprc}</pre>
<p><a class="button" download="zuliprc" href="${download}">Download as a zuliprc file</a></p>
<p class="hint">Programs look for it as <code>~/.zuliprc</code>, which nobody but you should be able to read.</p>`;
  return accountPage({ title, organization, body });
}
