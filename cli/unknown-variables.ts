import { CONNECTION_VARIABLES } from './global-options.ts';
import { isNear } from './names.ts';
import { SERVE_VARIABLES } from './serve/declared-options.ts';

/** Variables without an option: secrets, which other users could read on a command line. */
const SECRETS = [
  'DEBUG',
  'INBOUND_MAIL_SECRET',
  'LDAP_BIND_DN',
  'LDAP_PASSWORD',
  'LOGIN_SECRETS',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'PUSH_RELAY_ID',
  'PUSH_RELAY_KEY',
];
const KNOWN: ReadonlySet<string> = new Set([
  ...SECRETS.map((name) => `PARLANCE_${name}`),
  ...CONNECTION_VARIABLES,
  ...SERVE_VARIABLES,
]);

/**
 * A sentence for each variable that looks like a misspelled one of ours: its setting would silently not apply. Other
 * unknown variables may belong to the program around.
 */
export function misspelledVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap((given) => {
    const name = given.replace(/^(?:CHATCTL|PARLANCE)_/, 'PARLANCE_');
    if (!name.startsWith('PARLANCE_') || KNOWN.has(name) || !env[given]?.trim()) return [];
    const bare = name.slice('PARLANCE_'.length);
    const meant = [...KNOWN].find((known) => isNear(bare, known.slice('PARLANCE_'.length)));
    return meant === undefined
      ? []
      : [`The environment variable ${given} is unknown and ignored. Did you mean ${meant}?`];
  });
}
