import * as v from 'valibot';

const KINDS: Readonly<Record<string, string>> = {
  Array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  Object: 'an object',
  string: 'a text',
};
const MAX_SHOWN = 100;

/** Says in one sentence why a row is not valid. */
export function problemOf([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const path = v.getDotPath(issue);
  const what = path === null ? 'The row' : `"${path}"`;
  if (issue.received === 'undefined') return `${what} is missing.`;
  const kind = issue.kind === 'schema' ? KINDS[issue.expected ?? ''] : undefined;
  const found = issue.received.slice(0, MAX_SHOWN);
  return kind === undefined ? `${what} ${issue.message}.` : `${what} must be ${kind}, not ${found}.`;
}
