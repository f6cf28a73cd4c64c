import { present } from '../lib/internal.ts';
/** What clients of Zulip send differently than the operations declare it. */

/** Turns what released clients send into what a current client would send. */
export function asNewClients(values: Record<string, unknown>, params: object): void {
  // Older clients send the topic by its old name, which only `messages.send` declares.
  const takesOldName = Object.hasOwn(params, 'topic') && !Object.hasOwn(params, 'subject');
  if (takesOldName && Object.hasOwn(values, 'subject') && !Object.hasOwn(values, 'topic')) {
    values.topic = values.subject;
    delete values.subject;
  }
  // Python clients before 0.8.2 send an empty list for the caller.
  if (Object.hasOwn(params, 'principals') && isEmptyList(values.principals)) delete values.principals;
  // Clients of the API rely on it: they do not know all limits.
  if (Object.hasOwn(params, 'truncate') && !Object.hasOwn(values, 'truncate')) values.truncate = 'true';
}

const isEmptyList = (value: unknown) =>
  Array.isArray(value) ? value.length === 0 : typeof value === 'string' && /^\s*\[\s*\]\s*$/.test(value);

/**
 * Sets the parameters of the path. Clients repeat them in the query or the form.
 * @returns the names of those repeated with another value, which are reported as ignored
 */
export function takePathValues(
  values: Record<string, unknown>,
  names: readonly string[],
  inPath: readonly string[],
): string[] {
  const repeated: string[] = [];
  for (const [i, name] of names.entries()) {
    const value = present(inPath[i]);
    if (Object.hasOwn(values, name) && String(values[name]) !== value) repeated.push(name);
    values[name] = value;
  }
  return repeated;
}

/** Reports parameters of the path that the client has repeated with another value. */
export function withRepeated(answer: object, repeated: readonly string[]): object {
  if (repeated.length === 0) return answer;
  const { ignored_parameters_unsupported: unknown = [] } = answer as { ignored_parameters_unsupported?: string[] };
  return { ...answer, ignored_parameters_unsupported: [...unknown, ...repeated].sort() };
}
