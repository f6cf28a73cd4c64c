import { type Operation, routesOf } from '../../lib/operation.ts';
import type { Words } from '../operations/metadata.ts';

const ACCESS: Readonly<Record<Operation['access'], string>> = {
  anyone: 'anybody, without credentials',
  spectator: 'every account; anybody where the organization is open to the public',
  user: 'every account',
  member: 'everybody but guests',
  human: 'people, not bots',
  'human member': 'people who are not guests',
  administrator: 'administrators',
  owner: 'owners',
};

/** What stands below the options in a command's help. */
export function helpEnd(operation: Operation, words: Words): string {
  const [route] = routesOf(operation);
  const lines = ['', `Who may:  ${ACCESS[operation.access]}`];
  if (route) lines.push(`Route:    ${route.method} /api/v1${route.path}`);
  if (operation.errors.length > 0)
    lines.push(`Errors:   ${operation.errors.map((each) => spaced(each.name)).join(', ')}`);
  if (words.examples) lines.push('', 'Examples:', ...words.examples.map((example) => `  chatctl ${example}`));
  return lines.join('\n');
}

/** `StreamDoesNotExist` reads "stream does not exist". */
function spaced(className: string): string {
  return className.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
