import { VERSION } from '../../../lib/index.ts';
import { describedRoutes, groupOf, OPEN_TO, operations } from '../../../lib/internal.ts';
import { type Html, html, htmlPage } from '../html.ts';
import type { Page } from '../page.ts';
import {
  components,
  type Field,
  fieldList,
  fieldsOf,
  inside,
  resolved,
  type Schema,
  spoken,
  typeText,
} from './fields.ts';

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
  return new Map<string, Show>([
    ['/api/docs', once(startPage)],
    [`/api/docs/${EVENTS}`, once(eventsPage)],
    [`/api/docs/${STATE}`, once(statePage)],
    ...groups().map((group): [string, Show] => [`/api/docs/${group}`, once((base) => groupPage(group, base))]),
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

const groups = () => [...new Set(operations.map(groupOf))];

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
<p>An error has <code>"result": "error"</code>, a <code>msg</code> for people and a <code>code</code> for programs. A refused request changes nothing, unless its operation says otherwise. If you may not see a record, the error is the same as if it did not exist. Any operation may return 413 (body too large), 415 (compressed body), 429 with <code>Retry-After</code> (<code>RATE_LIMIT_HIT</code>), 503 (<code>SERVICE_UNAVAILABLE</code>: the database or the file storage is not available) and 500 (a defect; the message has the ID of the log line).</p>
<p>To receive changes, see <a href="${base}/api/docs/${EVENTS}">events</a>.</p>
<h2>Operations</h2>
${groups().map(
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
  const routes = describedRoutes().filter(({ operation }) => groupOf(operation) === group);
  const own = routes.filter(({ index }) => index === 0);
  return referencePage(
    titleOf(group),
    base,
    html`<ul class="plain">
${own.map(({ operation, summary }) => html`<li><a href="#${operation.name}">${summary}</a></li>\n`)}</ul>
${own.map((route) => {
  const older = routes.filter(({ index, operation }) => index > 0 && operation === route.operation);
  return section(route, older, base);
})}`,
  );
}

function eventsPage(base: string): Page {
  const events = (components().Event?.oneOf ?? []).map((each): [name: string, schema: Schema] => {
    const schema = resolved(each);
    const words = [schema.properties?.type?.const, schema.properties?.op?.const];
    return [words.filter((word) => word !== undefined).join('.'), schema];
  });
  return referencePage(
    'Event types',
    base,
    html`<p><a href="${base}/api/docs/events#events.list">A queue</a> delivers these events. Each has an increasing <code>id</code>, with gaps. <a href="${base}/api/docs/general#register">register</a> creates a queue and returns the <a href="${base}/api/docs/${STATE}">state</a> before its first event.</p>
<ul>
${events.map(([name, { description }]) => html`<li><a href="#event.${name}">${name}</a>: ${spoken(description ?? '')}</li>\n`)}</ul>
${events.map(([name, schema]) => {
  const [type, op] = name.split('.');
  return html`<section aria-labelledby="event.${name}">
<h2 id="event.${name}">${spoken(schema.description ?? '')}</h2>
<p><code>type: ${type}${op && `, op: ${op}`}</code></p>
${fieldList(
  fieldsOf(schema).filter((field) => !['id', 'type', 'op'].includes(field.name)),
  ALWAYS,
)}
</section>
`;
})}`,
  );
}

function statePage(base: string): Page {
  const parts = Object.values(components()).filter((schema) => schema['x-fetch-type'] !== undefined);
  return referencePage(
    'Initial state',
    base,
    html`<p><a href="${base}/api/docs/general#register">register</a> returns this state for each of the <code>fetch_event_types</code>. The <a href="${base}/api/docs/${EVENTS}">events</a> of the queue then deliver every change. The default for <code>fetch_event_types</code> is <code>event_types</code>. Without both, register returns the whole state.</p>
<ul class="plain columns">
${parts.map(({ 'x-fetch-type': type }) => html`<li><a href="#state.${type}">${type}</a></li>\n`)}</ul>
${parts.map(
  ({ 'x-fetch-type': type, ...schema }) => html`<section aria-labelledby="state.${type}">
<h2 id="state.${type}"><code>${type}</code></h2>
${fieldList(fieldsOf(schema), ALWAYS)}
</section>
`,
)}`,
  );
}

type Described = ReturnType<typeof describedRoutes>[number];

/** In the response of `register`. */
const STATE_REF = '#/components/schemas/InitialState';

function section(route: Described, older: readonly Described[], base: string): Html {
  const { summary, description, method, path, responses } = route;
  const { name, access } = route.operation;
  const parameters = parametersOf(route);
  const answer = answerOf((responses[200]?.content?.['application/json']?.schema ?? {}) as Schema, base);
  return html`<section aria-labelledby="${name}">
<h2 id="${name}">${summary}</h2>
<p><code>${method} /api/v1${path}</code></p>
${older.map((each) => html`<p class="quiet">Also <code>${each.method} /api/v1${each.path}</code> for older clients.</p>\n`)}${description && html`<p>${spoken(description)}</p>`}
<p class="quiet">For ${OPEN_TO[access]}.</p>
${
  parameters.length > 0 &&
  html`<h3>Parameters</h3>
${fieldList(parameters, { required: 'required', optional: 'optional' })}`
}
<h3>Example</h3>
${route['x-codeSamples'].map(
  ({ label, source }) => html`<figure><figcaption>${label}</figcaption><pre><code>${source}</code></pre></figure>\n`,
)}<h3>Response</h3>
${answer}
<h3>Errors</h3>
${refusals(responses)}
</section>
`;
}

function parametersOf({ parameters = [], requestBody }: Described): Field[] {
  const listed = parameters.map(({ name, schema, content, required = false, description }) => ({
    name,
    schema: (schema ?? content?.['application/json']?.schema ?? {}) as Schema,
    isRequired: required,
    description,
  }));
  const [form] = Object.values(requestBody?.content ?? {});
  return [...listed, ...(form ? fieldsOf(form.schema as Schema) : [])];
}

/** Fields of a response are present unless marked. */
const ALWAYS = { optional: 'not always' };

/** Fields of every response, which the start page of the reference describes. */
const COMMON = new Set(['result', 'msg', 'ignored_parameters_unsupported']);

function answerOf(schema: Schema, base: string): Html {
  const all = schema.allOf ?? [schema];
  const parts = all.filter(({ $ref }) => $ref !== STATE_REF).map(resolved);
  const hasState = parts.length < all.length;
  const fields = parts.flatMap(fieldsOf).filter(({ name }) => !COMMON.has(name));
  const further = parts.filter(({ properties }) => properties === undefined);
  const [{ additionalProperties } = {}] = parts;
  const rest = typeof additionalProperties === 'object' ? typeText(additionalProperties) : undefined;
  if (fields.length === 0 && further.length === 0) return html`<p>No fields.</p>`;
  return html`${fields.length > 0 && fieldList(fields, ALWAYS)}${further.map((part) => html`<p>${typeText(part)}</p>${inside(part, ALWAYS)}`)}${rest && html`<p>And further fields: ${rest}.</p>`}${hasState && html`<p>And the <a href="${base}/api/docs/initial-state">state</a> for the requested fetch types.</p>`}`;
}

/** Error codes by status. The start page lists the codes that any operation may return. */
function refusals(responses: Described['responses']): Html {
  const rows = Object.entries(responses).filter(([status, { description }]) => status !== '200' && description);
  return html`<ul>
${rows.map(([status, { description = '' }]) => html`<li>${status}: <code>${description}</code></li>\n`)}</ul>`;
}
