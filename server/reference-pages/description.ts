import { openApiDocument } from '../../lib/internal.ts';

/** The parts of JSON Schema that the OpenAPI description uses. */
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
