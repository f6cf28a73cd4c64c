import { VERSION } from '../../lib/index.ts';
import { catalogue, OPEN_TO, type Operation } from '../../lib/internal.ts';
import { type Html, html, htmlPage } from '../html.ts';
import type { Page } from '../page.ts';
import { fieldList, fieldsOf, spoken } from './fields.ts';
import { describedRoutes, describedSchemas, operationSections } from './operations.ts';

const EVENTS = 'event-types';
const STATE = 'initial-state';

const STYLE = `
header, main, footer { max-width: 56rem }
h2 { margin: 2.75rem 0 .25rem; font-size: 1.375rem }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem }
p { margin: .5rem 0 }
ul.plain { list-style: none; padding: 0 } ul.plain li { margin: .5rem 0 }
section { border-top: 1px solid var(--line); margin-top: 2.5rem } section h2 { margin-top: 1.5rem }
dl { margin: .25rem 0 } dt { margin-top: .75rem } dd { margin: 0 }
dt code, h2 code { font-weight: 600 } h2 code { font-size: inherit }
details { margin: .25rem 0 } summary { cursor: pointer; color: var(--accent) }
details > :not(summary) { margin-left: .5rem; padding-left: .75rem; border-left: 2px solid var(--line) }
figure { margin: 0 } figcaption { color: var(--quiet); font-size: .875rem }
@media (min-width: 48rem) { ul.columns { columns: 2; column-gap: 2rem } ul.columns li { break-inside: avoid } }
`;

type Show = (base: string) => Page;

/**
 * The pages of the API reference: a start page, a page for each group of operations, and pages for events and the
 * initial state.
 */
export function referencePages(): Map<string, Show> {
  const groups = new Set((catalogue as readonly Operation[]).map(groupOf));
  return new Map<string, Show>([
    ['/api/docs', once(startPage)],
    [`/api/docs/${EVENTS}`, once(eventsPage)],
    [`/api/docs/${STATE}`, once(statePage)],
    ...[...groups].map((group): [string, Show] => [`/api/docs/${group}`, once((base) => groupPage(group, base))]),
  ]);
}

/** Builds a page on first use and caches it for the latest mount path. */
export function once(make: Show): Show {
  let made: { base: string; page: Page } | undefined;
  return (base) => {
    if (made?.base !== base) made = { base, page: make(base) };
    return made.page;
  };
}

const groupOf = ({ name }: Pick<Operation, 'name'>) =>
  name.includes('.') ? (name.split('.', 1)[0] as string) : 'general';

/** The title of a group: "User groups" for `userGroups`. */
function titleOf(group: string): string {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param base path the chat is mounted at, without a trailing slash */
function referencePage(title: string, base: string, main: Html): Page {
  const links = [
    html`<a href="${base}/">Start</a>`,
    html`<a href="${base}/api/docs">Operations</a>`,
    html`<a href="${base}/api/docs/${EVENTS}">Event types</a>`,
    html`<a href="${base}/api/docs/${STATE}">Initial state</a>`,
  ];
  const header = html`<nav aria-label="Reference">
${links.map((link, at) => [at > 0 && ' · ', link])}
</nav>`;
  return htmlPage({
    title,
    header,
    main,
    footer: `Parlance ${VERSION}`,
    style: STYLE,
    headers: { 'Cache-Control': 'public, max-age=300' },
  });
}

function startPage(base: string): Page {
  const operations = catalogue as readonly Operation[];
  const groups = [...new Set(operations.map(groupOf))];
  return referencePage(
    'API reference',
    base,
    html`<p>This server supports the part of the Zulip HTTP API that is listed here. The same reference is available as an <a href="${base}/api/v1/openapi.json">OpenAPI description</a>.</p>
<h2>Calling it</h2>
<p>Paths begin with <code>${base}/api/v1</code>. Authenticate with an e-mail address and an API key by HTTP Basic authentication. Send parameters in the query or in the body, with any method. A form has text as it is and all other values as JSON. A JSON body is an object with a member for each parameter. The examples read the credentials from the environment, like <code>chatctl</code>:</p>
<pre><code>export ZULIP_SITE=https://chat.example.com${base} ZULIP_EMAIL=ada@example.com ZULIP_API_KEY=…</code></pre>
<p>The TypeScript examples use a session: <code>connect({ site, email, api_key })</code>, or <code>chat.as(user)</code> in the same process.</p>
<h2>Responses</h2>
<p>A successful response is 200 with <code>"result": "success"</code> and the fields of the operation. <code>ignored_parameters_unsupported</code> lists unknown parameters.</p>
<p>An error has <code>"result": "error"</code>, a <code>msg</code> for people and a <code>code</code> for programs. A refused request changes nothing, unless its operation says otherwise. If you may not see a record, the error is the same as if it did not exist. Any operation may return 413 (body too large), 429 with <code>Retry-After</code> (<code>RATE_LIMIT_HIT</code>), 503 (<code>SERVICE_UNAVAILABLE</code>: the database or the file storage is not available) and 500 (a defect; the message has the ID of the log line).</p>
<p>To receive changes, see <a href="${base}/api/docs/${EVENTS}">events</a>.</p>
<h2>Operations</h2>
${groups.map(
  (group) => html`<h3><a href="${base}/api/docs/${group}">${titleOf(group)}</a></h3>
<ul class="plain columns">
${operations
  .filter((operation) => groupOf(operation) === group)
  .map(({ name, summary }) => html`<li><a href="${base}/api/docs/${group}#${name}">${summary}</a></li>\n`)}</ul>
`,
)}`,
  );
}

function groupPage(group: string, base: string): Page {
  const access = new Map((catalogue as readonly Operation[]).map((operation) => [operation.name, operation.access]));
  const routes = describedRoutes().filter(({ tags }) => tags[0] === group);
  const openTo = (operationId: string) => OPEN_TO[access.get(operationId) ?? 'user'];
  return referencePage(titleOf(group), base, operationSections(routes, openTo, base));
}

function eventsPage(base: string): Page {
  const events = describedSchemas('event');
  return referencePage(
    'Event types',
    base,
    html`<p><a href="${base}/api/docs/events#events.list">A queue</a> delivers these events. Each has an increasing <code>id</code>, with gaps. <a href="${base}/api/docs/general#register">register</a> creates a queue and returns the <a href="${base}/api/docs/${STATE}">state</a> before its first event.</p>
<ul>
${events.map(([name, { description }]) => html`<li><a href="#${name}">${name.replace('event.', '')}</a>: ${spoken(description ?? '')}</li>\n`)}</ul>
${events.map(([name, schema]) => {
  const [, type, op] = name.split('.');
  return html`<section aria-labelledby="${name}">
<h2 id="${name}">${spoken(schema.description ?? '')}</h2>
<p><code>type: ${type}${op && `, op: ${op}`}</code></p>
${fieldList(
  fieldsOf(schema).filter((field) => !['id', 'type', 'op'].includes(field.name)),
  { optional: 'not always' },
)}
</section>
`;
})}`,
  );
}

function statePage(base: string): Page {
  const parts = describedSchemas('state').map(([name, schema]) => ({
    name,
    type: name.slice('state.'.length),
    schema,
  }));
  return referencePage(
    'Initial state',
    base,
    html`<p><a href="${base}/api/docs/general#register">register</a> returns this state for each of the <code>fetch_event_types</code>. The <a href="${base}/api/docs/${EVENTS}">events</a> of the queue then deliver every change. The default for <code>fetch_event_types</code> is <code>event_types</code>. Without both, register returns the whole state.</p>
<ul class="plain columns">
${parts.map(({ name, type }) => html`<li><a href="#${name}">${type}</a></li>\n`)}</ul>
${parts.map(
  ({ name, type, schema }) => html`<section aria-labelledby="${name}">
<h2 id="${name}"><code>${type}</code></h2>
${fieldList(fieldsOf(schema), { optional: 'not always' })}
</section>
`,
)}`,
  );
}
