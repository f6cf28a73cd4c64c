import { openApiDocument } from '../../lib/internal.ts';
import { type Html, html } from '../html.ts';
import { type Field, fieldList, fieldsOf, inside, type Schema, spoken, typeText } from './fields.ts';

type Media = Readonly<Record<string, { schema: Schema }>>;

/** A route of an operation. */
export interface Described {
  method: string;
  path: string;
  operationId: string;
  tags: readonly [string];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
    content?: Media;
  }[];
  requestBody?: { content: Media };
  responses: Readonly<Record<string, { description?: string; content?: Media }>>;
  'x-codeSamples': readonly { label: string; source: string }[];
}

/** The routes of the API, in the order of the operations. */
export function describedRoutes(): Described[] {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Omit<Described, 'method' | 'path'>>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ ...route, method: method.toUpperCase(), path })),
  );
}

/** Events or parts of the initial state, by names such as `event.reaction.add` and `state.realm_user`. */
export function describedSchemas(kind: 'event' | 'state'): [name: string, schema: Schema][] {
  const { components } = openApiDocument() as { components: { schemas: Record<string, Schema> } };
  return Object.entries(components.schemas).filter(([name]) => name.startsWith(`${kind}.`));
}

/** The operations of a group, each with its legacy routes. */
export function operationSections(
  routes: readonly Described[],
  openTo: (operationId: string) => string,
  base: string,
): Html {
  const own = routes.filter(({ deprecated }) => !deprecated);
  return html`<ul class="plain">
${own.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>\n`)}</ul>
${own.map((route) => {
  const older = routes.filter(
    (other) => other.deprecated && other.operationId.startsWith(`${route.operationId}.legacy`),
  );
  return section(route, older, openTo(route.operationId), base);
})}`;
}

function section(route: Described, older: readonly Described[], openTo: string, base: string): Html {
  const { operationId, summary, description, method, path, responses } = route;
  const parameters = parametersOf(route);
  const answer = answerOf(responses[200]?.content?.['application/json']?.schema ?? {}, base);
  return html`<section aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary}</h2>
<p><code>${method} /api/v1${path}</code></p>
${older.map((each) => html`<p class="quiet">Also <code>${each.method} /api/v1${each.path}</code> for older clients.</p>\n`)}${description && html`<p>${spoken(description)}</p>`}
<p class="quiet">For ${openTo}.</p>
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
    schema: schema ?? content?.['application/json']?.schema ?? {},
    isRequired: required,
    description,
  }));
  const [form] = Object.values(requestBody?.content ?? {});
  return [...listed, ...(form ? fieldsOf(form.schema) : [])];
}

/** Fields of a response are present unless marked. */
const ALWAYS = { optional: 'not always' };

/** Fields of every response, which the start page of the reference describes. */
const COMMON = new Set(['result', 'msg', 'ignored_parameters_unsupported']);

function answerOf(schema: Schema, base: string): Html {
  const all = fieldsOf(schema).filter(({ name }) => !COMMON.has(name));
  const fields = all.filter((field) => field.schema.$ref === undefined);
  const hasState = fields.length < all.length;
  const further = schema.allOf?.slice(1) ?? [];
  const rest = typeof schema.additionalProperties === 'object' ? typeText(schema.additionalProperties) : undefined;
  if (fields.length === 0 && further.length === 0) return html`<p>No fields.</p>`;
  return html`${fields.length > 0 && fieldList(fields, ALWAYS)}${further.map((one) => html`<p>${typeText(one)}</p>${inside(one, ALWAYS)}`)}${rest && html`<p>And further fields: ${rest}.</p>`}${hasState && html`<p>And the <a href="${base}/api/docs/initial-state">state</a> for the requested fetch types.</p>`}`;
}

/** Error codes by status. The start page lists the codes that any operation may return. */
function refusals(responses: Described['responses']): Html {
  const rows = Object.entries(responses).filter(([status, { description }]) => status !== '200' && description);
  return html`<ul>
${rows.map(([status, { description = '' }]) => html`<li>${status}: <code>${description}</code></li>\n`)}</ul>`;
}
