import { openApiDocument } from '../../lib/internal.ts';

/** As much of JSON Schema as the description of the API makes use of. */
export interface Schema {
  type?: string;
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
}

type Media = Readonly<Record<string, { schema: Schema }>>;

/** One route of an operation. */
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

/** The description of the API, in the order of its operations. */
export function describedRoutes(): Described[] {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Omit<Described, 'method' | 'path'>>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ ...route, method: method.toUpperCase(), path })),
  );
}

/** Events and parts of the state by their names, such as `event.reaction.add` and `state.realm_user`. */
export function describedSchemas(kind: 'event' | 'state'): [name: string, schema: Schema][] {
  const { components } = openApiDocument() as { components: { schemas: Record<string, Schema> } };
  return Object.entries(components.schemas).filter(([name]) => name.startsWith(`${kind}.`));
}
