import { createHash } from 'node:crypto';
import type { Page } from '../page.ts';
import type { FormState } from './fields.ts';
import { type Html, html, rendered } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #57606a; --ground: #ffffff; --raised: #f6f8fa;
  --line: #8c959f; --accent: #0b57d0; --on-accent: #ffffff; --wrong: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9ea7b3; --ground: #0f1419; --raised: #1a2027; --line: #6e7681;
    --accent: #8ab4f8; --on-accent: #0b1d38; --wrong: #ff9d94 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); font: 1.0625rem/1.55 system-ui, sans-serif }
header, main, footer { max-width: 36rem; margin: 0 auto; padding: 0 1.25rem }
body { padding-top: 1.75rem }
header { color: var(--quiet); font-weight: 600 }
footer { padding-top: 1.5rem; padding-bottom: 2.5rem; color: var(--quiet); font-size: .9375rem }
main > h1 { margin: .25rem 0 1rem; font-size: 1.875rem; line-height: 1.2 }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem }
h1, h2, p, li, dd, label { overflow-wrap: anywhere }
ul { margin: .5rem 0; padding-left: 1.25rem }
a { color: var(--accent) }
.field { margin: 1.25rem 0 }
label { display: block; font-weight: 600 }
.hint { display: block; color: var(--quiet); font-size: .9375rem }
.error { display: block; color: var(--wrong); font-weight: 600 }
input:not([type=checkbox]) { width: 100%; margin-top: .25rem; padding: .625rem .75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--ground); color: inherit; font: inherit }
input[readonly] { background: var(--raised) }
input[aria-invalid] { border: 2px solid var(--wrong) }
.choice { display: grid; grid-template-columns: auto 1fr; column-gap: .75rem; align-items: start }
.choice input { width: 1.375rem; height: 1.375rem; margin: .125rem 0 }
button, .button { display: inline-block; min-height: 2.75rem; padding: .625rem 1.25rem; border: 0; border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.problem { margin: 1.25rem 0; padding: .75rem 1rem; border: 2px solid var(--wrong); border-radius: .5rem }
.problem h2 { margin: 0 } .problem p { margin: .25rem 0 0 }
.card { margin: .75rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--raised) }
.card > :first-child { margin-top: 0 } .card > :last-child { margin-bottom: 0 }
dt { font-weight: 600 } dd { margin: 0 0 .75rem }
code, pre { font: .9375rem/1.5 ui-monospace, Menlo, Consolas, monospace }
pre { margin: .75rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--raised);
  white-space: pre-wrap; overflow-wrap: anywhere }
@media (max-width: 26rem) { pre { font-size: .8125rem } }
`;

/** Loads nothing and runs no scripts. Forms post to this server. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface AccountPage {
  title: string;
  /** Name of the organization. */
  organization: string;
  body: Html;
  /** Default 200. */
  status?: number;
  /** The state of the form, if the page has a form. */
  form?: FormState;
  headers?: Readonly<Record<string, string>>;
}

/** A page for users without an account or a password. */
export function accountPage({ title, organization, body, form, headers, ...more }: AccountPage): Page {
  const isWrong = form !== undefined && Object.keys(form.errors).length > 0;
  const { status = isWrong ? 400 : 200 } = more;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${isWrong && 'Error: '}${title}${!title.includes(organization) && ` – ${organization}`}</title>
<style>${rendered(STYLE)}</style>
</head>
<body>
${!title.includes(organization) && html`<header>${organization}</header>\n`}<main>
<h1>${title}</h1>
${body}
</main>
<footer>Team chat by Parlance</footer>
</body>
</html>
`;
  return {
    status,
    bytes: Buffer.from(page.text),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': POLICY,
      // The URL contains a secret, so other sites must not get it as the referrer. Pages with a form need
      // 'same-origin': with 'no-referrer', browsers send the form without its origin.
      'Referrer-Policy': form ? 'same-origin' : 'no-referrer',
      'X-Robots-Tag': 'noindex',
      ...headers,
    },
  };
}
