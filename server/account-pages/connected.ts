import type { Page } from '../page.ts';
import { type Html, html } from './html.ts';
import { accountPage } from './layout.ts';

/** The account after joining or resetting a password. */
export interface Connected {
  site: string;
  email: string;
  api_key: string;
  /** Whether the user has chosen a password. */
  hasPassword: boolean;
}

/** Shows how to connect an app and a program. The API key is shown once and is not part of any URL. */
export function connectedPage(
  organization: string,
  { title, opening }: { title: string; opening: Html },
  { site, email, api_key, hasPassword }: Connected,
): Page {
  const zuliprc = `[api]\nemail=${email}\nkey=${api_key}\nsite=${site}\n`;
  const download = `data:application/octet-stream;base64,${Buffer.from(zuliprc).toString('base64')}`;
  const body = html`${opening}
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
  return accountPage({ title, organization, body });
}
