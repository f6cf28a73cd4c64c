import { openApiDocument } from '../../../lib/internal.ts';
import { type Html, html } from '../html.ts';

/** The parts of JSON Schema that the OpenAPI description uses. */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  prefixItems?: readonly Schema[];
  maxItems?: number;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  $ref?: string;
  'x-fetch-type'?: string;
}

/** The shared schemas by name. */
export function components(): Record<string, Schema> {
  return (openApiDocument() as { components: { schemas: Record<string, Schema> } }).components.schemas;
}

const ANY_EVENT = '#/components/schemas/Event';

/** The schema that a reference names. Events have a page of their own. */
export function resolved(schema: Schema): Schema {
  const { $ref, ...rest } = schema;
  if ($ref === undefined || $ref === ANY_EVENT) return schema;
  return { ...components()[$ref.slice($ref.lastIndexOf('/') + 1)], ...rest };
}

export interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string | undefined;
}

/** The fields of an object, as a list. */
export function fieldsOf(schema: Schema): Field[] {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    description: schema.description,
  }));
}

/** Words for required and optional fields. */
export interface Presence {
  required?: string;
  optional: string;
}

export function fieldList(fields: readonly Field[], presence: Presence): Html {
  return html`<dl>
${fields.map(({ name, schema, isRequired, description }) => {
  const fallback = schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`;
  const said = [typeText(schema), fallback ?? (isRequired ? presence.required : presence.optional)];
  return html`<dt><code>${name}</code> <span class="quiet">${said.filter((part) => part !== undefined).join(', ')}</span></dt>
<dd>${description !== undefined && spoken(description)}${inside(schema, presence)}</dd>
`;
})}</dl>`;
}

/** The fields of the objects inside a value, at any depth. Undefined if there are none. */
export function inside(schema: Schema, presence: Presence): Html | undefined {
  const objects = objectsIn(schema);
  if (objects.length === 0) return undefined;
  return html`${objects.map((object) => {
    const names = Object.keys(object.properties ?? {});
    return html`<details>
<summary>${names.length} fields: ${names.slice(0, 3).join(', ')}${names.length > 3 && ' …'}</summary>
${fieldList(fieldsOf(object), presence)}
</details>`;
  })}`;
}

/** The objects inside a schema, through lists, maps and alternatives. */
function objectsIn(given: Schema): Schema[] {
  const schema = resolved(given);
  if (Object.keys(schema.properties ?? {}).length > 0) return [schema];
  const { items, additionalProperties, prefixItems = [], anyOf = [], oneOf = [], allOf = [] } = schema;
  const map = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...(items ? [items] : []), ...map, ...prefixItems, ...anyOf, ...oneOf, ...allOf].flatMap(objectsIn);
}

/** A type in words: `list of integers`, `text or null`. */
export function typeText(given: Schema): string {
  const schema = resolved(given);
  const { enum: choices, anyOf, oneOf, allOf, prefixItems, $ref } = schema;
  if ($ref !== undefined) return 'an event';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' or ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return [...new Set(alternatives.map(typeText))].join(' or ');
  if (allOf) return [...new Set(allOf.map(typeText))].join(' and ');
  return prefixItems ? tupleText(prefixItems.map(typeText)) : plainTypeText(schema);
}

/** The type of a schema without alternatives. */
function plainTypeText(schema: Schema): string {
  const { type, items, format } = schema;
  if (schema.maxItems === 0) return 'empty list';
  if (Array.isArray(type)) return type.map((each: string) => typeText({ ...schema, type: each })).join(' or ');
  if (type === 'array') return items ? `list of ${typeText(items).split(' or ').map(many).join(' or ')}` : 'list';
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `map to ${typeText(schema.additionalProperties)}`;
  if (type === 'string') return format === 'binary' ? 'file' : 'text';
  if (type === 'boolean') return 'true or false';
  return typeof type === 'string' ? type : 'anything';
}

/** Members only if they are short. Otherwise the description explains them. */
function tupleText(members: readonly string[]): string {
  if (members.some((member) => member.includes(' ')))
    return members.length === 2 ? 'pair' : `list of ${members.length}`;
  return `[${members.join(', ')}]`;
}

const many = (text: string) => (/^(integer|number|object|text|file|list|map|pair)$/.test(text) ? `${text}s` : text);

/** A description, with text in backticks as code. */
export function spoken(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
