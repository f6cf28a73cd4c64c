import { createHash } from 'node:crypto';
import type { Page } from './page.ts';

/** A piece of HTML. Inserted values are escaped, unless they are `Html`. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | undefined | readonly Part[];

/**
 * Builds a piece of HTML.
 * @example html`<p>Hello ${name}</p>`
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, at) => text + written(parts[at - 1]) + string));
}

function written(part: Part): string {
  if (part === false || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #57606a; --ground: #ffffff; --raised: #f6f8fa;
  --line: #8c959f; --accent: #0b6b61; --on-accent: #ffffff; --wrong: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9ea7b3; --ground: #0f1419; --raised: #1a2027; --line: #6e7681;
    --accent: #63cbbb; --on-accent: #06211d; --wrong: #ff9d94 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; padding-top: 1.25rem; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif }
header, main, footer { max-width: 36rem; margin: 0 auto; padding: 0 1.25rem }
header, .quiet { color: var(--quiet) }
footer { padding-top: 1.5rem; padding-bottom: 2.5rem; color: var(--quiet) }
h1 { margin: 1rem 0; font-size: 1.875rem; line-height: 1.2 }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; line-height: 1.3 }
h1, h2, h3, p, li, dt, dd, label, summary { overflow-wrap: anywhere }
ul { margin: .5rem 0; padding-left: 1.25rem }
a { color: var(--accent) }
code, pre { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace }
pre { margin: .25rem 0 1rem; padding: .75rem 1rem; border-radius: .5rem; background: var(--raised);
  white-space: pre-wrap; overflow-wrap: anywhere }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

export interface HtmlPage {
  title: string;
  /** Default: the title. */
  heading?: string;
  header?: Html | undefined;
  main: Html;
  footer: string;
  style?: string;
  /** Whether the page may show pictures of this server. */
  hasPictures?: boolean;
  /** Whether the page may post forms to this server. */
  mayPost?: boolean;
  /** Scheme to which a form of the page may lead. Browsers refuse redirects after forms otherwise. */
  leadsTo?: string | undefined;
  status?: number;
  headers: Readonly<Record<string, string>>;
}

/** A page that loads nothing and runs no scripts. */
export function htmlPage(options: HtmlPage): Page {
  const { title, heading = title, header, main, footer, style = '', hasPictures, mayPost, leadsTo } = options;
  const css = STYLE + style;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Html(css)}</style>
</head>
<body>
${header && html`<header>${header}</header>\n`}<main>
<h1>${heading}</h1>
${main}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    `form-action '${mayPost ? 'self' : 'none'}'${leadsTo === undefined ? '' : ` ${leadsTo}`}`,
    `img-src data:${hasPictures ? " 'self'" : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status: options.status ?? 200,
    bytes: Buffer.from(page.text),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      ...options.headers,
    },
  };
}
