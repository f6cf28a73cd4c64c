import * as v from 'valibot';
import { ROLE_NAMES } from '../../lib/internal.ts';
import type { OidcOptions, RoleName } from '../../server/index.ts';
import { defined } from '../environment.ts';
import { readJsonFile } from '../json-file.ts';
import { ISSUER, ISSUER_WANTED } from './declared-options.ts';

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'));

const issuer = v.pipe(
  v.string(),
  v.check((url) => URL.canParse(url) && ISSUER.test(url), `must be ${ISSUER_WANTED}`),
);

/** The fields of `OidcOptions`. */
const FIELDS = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,30}$/, 'must be 1 to 30 of a-z, 0-9 and -')),
  name: v.optional(text),
  issuer,
  clientId: text,
  clientSecret: v.optional(text),
  scope: v.optional(text),
  open: v.optional(v.boolean()),
  trustEmail: v.optional(v.boolean()),
  emailDomains: v.optional(v.pipe(v.array(text), v.nonEmpty('must have a domain'))),
  roleClaim: v.optional(text),
  roles: v.optional(v.record(v.string(), v.picklist([...ROLE_NAMES.keys()] as RoleName[]))),
  groupClaim: v.optional(text),
});

const PROVIDER = v.pipe(
  FIELDS,
  v.forward(
    v.check(({ roles, roleClaim }) => roles === undefined || roleClaim !== undefined, 'needs roleClaim'),
    ['roles'],
  ),
);

const PROVIDERS = v.pipe(
  v.array(PROVIDER),
  v.nonEmpty('must have a provider'),
  v.check((list) => new Set(list.map(({ id }) => id)).size === list.length, 'each provider needs another id'),
  v.check(
    (list) => list.length === 1 || list.every(({ emailDomains }) => emailDomains !== undefined),
    'each of several providers needs emailDomains: the domains of its users, or ["*"] if it may open any account',
  ),
);

/** The providers of `--oidc-providers`. @throws UsageError */
export const readProviders = (file: string): OidcOptions[] =>
  readJsonFile(file, PROVIDERS, 'file of providers').map((provider) => defined(provider));
