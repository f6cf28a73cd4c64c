import { catalogue, OPEN_TO, type Operation } from '../../lib/internal.ts';
import { html } from '../account-pages/html.ts';
import type { Page } from '../page.ts';
import { describedRoutes, describedSchemas } from './description.ts';
import { fieldList, fieldsOf } from './fields.ts';
import { operationSections } from './group.ts';
import { referencePage } from './layout.ts';
import { spoken } from './spoken.ts';

const EVENTS = 'event-types';
const STATE = 'initial-state';

type Show = (base: string) => Page;

/** The reference of the API: a page that leads to all others, one for each group of operations, one for events, one for state. */
export function referencePages(): Map<string, Show> {
  const groups = new Set((catalogue as readonly Operation[]).map(groupOf));
  return new Map<string, Show>([
    ['/api/docs', once(startPage)],
    [`/api/docs/${EVENTS}`, once(eventsPage)],
    [`/api/docs/${STATE}`, once(statePage)],
    ...[...groups].map((group): [string, Show] => [`/api/docs/${group}`, once((base) => groupPage(group, base))]),
  ]);
}

/** Made when it is first asked for; a host mounts the chat at one path. */
export function once(make: Show): Show {
  let made: { base: string; page: Page } | undefined;
  return (base) => {
    if (made?.base !== base) made = { base, page: make(base) };
    return made.page;
  };
}

const groupOf = ({ name }: Pick<Operation, 'name'>) =>
  name.includes('.') ? (name.split('.', 1)[0] as string) : 'general';

/** `userGroups` is "User groups" to people. */
function titleOf(group: string): string {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function startPage(base: string): Page {
  const operations = catalogue as readonly Operation[];
  const groups = [...new Set(operations.map(groupOf))];
  return referencePage(
    'API reference',
    base,
    html`<p>The HTTP API of this team chat: the Zulip API, as far as it is listed here. Programs find the same as an <a href="${base}/api/v1/openapi.json">OpenAPI description</a>.</p>
<h2>Calling it</h2>
<p>Addresses begin with <code>${base}/api/v1</code>. Credentials are an e-mail address and an API key, by HTTP Basic authentication. Parameters come in the query or in a body, with any method: in a form text as it is and everything else as JSON, or all of them as the members of a JSON object. The examples take these from the environment, as <code>chatctl</code> does:</p>
<pre><code>export ZULIP_SITE=https://chat.example.com${base} ZULIP_EMAIL=ada@example.com ZULIP_API_KEY=…</code></pre>
<p>Those in TypeScript have a session, <code>connect({ site, email, api_key })</code> of the package or <code>chat.as(user)</code> in process.</p>
<h2>Answers</h2>
<p>Success is 200 with <code>"result": "success"</code> and the fields that each operation lists. Parameters it does not know are named in <code>ignored_parameters_unsupported</code>.</p>
<p>A refusal has <code>"result": "error"</code>, a <code>msg</code> for people and a <code>code</code> for programs; nothing was done. What you may not know of is refused like what is not there. Any call may meet 413 for a body that is too large, 429 with <code>Retry-After</code> (<code>RATE_LIMIT_HIT</code>), 503 while the database or the disk for files cannot be worked on (<code>SERVICE_UNAVAILABLE</code>), and 500 for a defect, with an ID that stands in the log.</p>
<p>What happens is told by <a href="${base}/api/docs/${EVENTS}">events</a>.</p>
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
    html`<p>What <a href="${base}/api/docs/events#events.list">a queue</a> delivers, each with an <code>id</code> that rises and has gaps. A queue is made by <a href="${base}/api/docs/general#register">register</a>, which answers the <a href="${base}/api/docs/${STATE}">state</a> that they go on from.</p>
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
    html`<p>What <a href="${base}/api/docs/general#register">register</a> answers for each of the <code>fetch_event_types</code>, so that a client has something to begin with: <a href="${base}/api/docs/${EVENTS}">events</a> of the queue tell every change after it. Without <code>fetch_event_types</code> it is the state of the <code>event_types</code>, and without both all of it.</p>
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
