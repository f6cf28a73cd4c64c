/** What clients of Zulip send differently than the operations declare it. */

/** Parameters that some clients send otherwise. */
const ADAPTED = ['topic', 'principals', 'truncate'];

/** Whether clients of Zulip may send an operation with these parameters differently. */
export const needsAdapting = (params: object) => ADAPTED.some((name) => Object.hasOwn(params, name));

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
