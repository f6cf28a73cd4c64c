import * as v from 'valibot';

/* Secrets in answers: the texts that `secret` of `schemas.ts` marks. */

/** As much of a schema as contains others. No secret is in a union or a record. */
type Part = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Part>>;
  readonly item?: Part;
  readonly wrapped?: Part;
};

const isSecret = (schema: Part) => (v.getMetadata(schema as never) as { isSecret?: true }).isSecret === true;

/** Whether answers of a schema contain secrets. A list and an optional field can be without them. */
export function secretsIn(schema: v.GenericSchema): 'never' | 'sometimes' | 'always' {
  const { entries = {}, item, wrapped }: Part = schema;
  if (isSecret(schema)) return 'always';
  const inner = [...Object.values(entries), ...(item ? [item] : []), ...(wrapped ? [wrapped] : [])].map(secretsIn);
  if (inner.every((one) => one === 'never')) return 'never';
  return schema.type.endsWith('object') && inner.includes('always') ? 'always' : 'sometimes';
}

/** A copy of an answer. @param replace returns what stands for a secret; undefined leaves out its field */
function withReplaced(schema: Part, value: unknown, replace: (secret: string) => string | undefined): unknown {
  const { entries, item, wrapped } = schema;
  if (isSecret(schema)) return typeof value === 'string' ? replace(value) : value;
  if (wrapped) return withReplaced(wrapped, value, replace);
  if (item && Array.isArray(value)) return value.map((one) => withReplaced(item, one, replace));
  if (!entries || typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    const known = entries[name];
    return [name, known ? withReplaced(known, field, replace) : field] as const;
  });
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

interface Answering {
  readonly result: v.GenericSchema;
  readonly hasSecrets: boolean;
}

export function withoutSecrets({ result, hasSecrets }: Answering, answer: object): object {
  return hasSecrets ? (withReplaced(result, answer, () => undefined) as object) : answer;
}

/** For dry runs: a key becomes a row of x, and a link keeps its address up to the last part. */
export function withFakeSecrets({ result, hasSecrets }: Answering, answer: object): object {
  const fake = (secret: string) => secret.replace(/[^/]+(?=\/?$)/, (key) => key.replace(/[A-Za-z0-9]/g, 'x'));
  return hasSecrets ? (withReplaced(result, answer, fake) as object) : answer;
}
