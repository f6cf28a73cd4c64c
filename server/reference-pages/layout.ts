import { createHash } from 'node:crypto';
import { VERSION } from '../../lib/index.ts';
import { type Html, html, rendered } from '../account-pages/html.ts';
import type { Page } from '../page.ts';

const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #57606a; --ground: #ffffff; --raised: #f3f5f8;
  --line: #d0d7de; --accent: #0b57d0; --wrong: #a4262c }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9ea7b3; --ground: #0f1419; --raised: #1a2027; --line: #343c46;
    --accent: #8ab4f8; --wrong: #ff9d94 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif }
header, main, footer { max-width: 56rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 1.25rem }
footer { padding-top: 2rem; padding-bottom: 2.5rem; color: var(--quiet) }
a { color: var(--accent) }
h1 { margin: 1rem 0; font-size: 1.875rem; line-height: 1.2 }
h2 { margin: 2.75rem 0 .25rem; font-size: 1.375rem; line-height: 1.3 }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem }
h1, h2, h3, p, li, dt, dd, summary { overflow-wrap: anywhere }
p { margin: .5rem 0 }
ul { margin: .5rem 0; padding-left: 1.25rem }
ul.plain { list-style: none; padding: 0 } ul.plain li { margin: .5rem 0 }
section { border-top: 1px solid var(--line); margin-top: 2.5rem } section h2 { margin-top: 1.5rem }
code, pre { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace }
pre { margin: .25rem 0 1rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--raised);
  white-space: pre-wrap; overflow-wrap: anywhere }
.quiet { color: var(--quiet) } .old { color: var(--wrong); font-weight: 600 }
dl { margin: .25rem 0 } dt { margin-top: .75rem } dd { margin: 0 }
dt code, h2 code { font-weight: 600 } h2 code { font-size: inherit }
details { margin: .25rem 0 } summary { cursor: pointer; color: var(--accent) }
details > :not(summary) { margin-left: .5rem; padding-left: .75rem; border-left: 2px solid var(--line) }
figure { margin: 0 } figcaption { color: var(--quiet); font-size: .875rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (min-width: 48rem) { ul.columns { columns: 2; column-gap: 2rem } ul.columns li { break-inside: avoid } }
`;

/** Loads nothing and runs no scripts. The empty icon stops browsers from requesting one. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param base path the chat is mounted at, without a trailing slash */
export function referencePage(title: string, base: string, body: Html): Page {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${rendered(STYLE)}</style>
</head>
<body>
<header><nav aria-label="Reference">
<a href="${base}/">Start</a> · <a href="${base}/api/docs">Operations</a> · <a href="${base}/api/docs/event-types">Event types</a> · <a href="${base}/api/docs/initial-state">Initial state</a>
</nav></header>
<main>
<h1>${title}</h1>
${body}
</main>
<footer>Parlance ${VERSION}</footer>
</body>
</html>
`;
  return {
    bytes: Buffer.from(page.text),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
    },
  };
}
