import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { PASSWORD } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { codeNow, givenFactor, wrongCode } from '../second-factor/factors.ts';

const signing = (username: string, password = PASSWORD) => ['fetchApiKey', { username, password }] as const;

const coded = (codeOf: (world: World) => string, password = PASSWORD): Case['call'] => [
  'fetchApiKey',
  (world) => ({ username: 'hamlet@example.com', password, code: codeOf(world) }),
];
const withFactor = (world: World) => givenFactor(world, 'hamlet');
const lacks = (reason: string) => ({ code: 'SECOND_FACTOR_NEEDED', status: 401, data: { reason } }) as const;

const failed = (name: string, call: Case['call']): Case => ({
  name,
  as: 'anonymous',
  call,
  refuses: { code: 'AUTHENTICATION_FAILED', status: 401 },
});

export const fetchApiKeyCases = cases('fetchApiKey', [
  {
    name: 'the password gives the API key, whatever the case of the address',
    as: 'anonymous',
    call: signing('HAMLET@example.com'),
    returns: ({ users }) => ({ api_key: /^\w{32}$/, email: 'Hamlet@example.com', user_id: users.hamlet }),
  },
  failed('a wrong password is refused with AUTHENTICATION_FAILED', signing('hamlet@example.com', 'wrong')),
  failed('an unknown address is refused like a wrong password', signing('fortinbras@example.com')),
  failed('an account without a password is refused like a wrong password', signing('cordelia@example.com')),
  failed('a bot is refused like a wrong password', signing('clerk-bot@chat.example.com')),
  failed(
    'a deactivated account with a wrong password is refused like any wrong password',
    signing('yorick@example.com', 'wrong'),
  ),
  {
    name: 'a deactivated account with its password is refused with USER_DEACTIVATED',
    as: 'anonymous',
    call: signing('yorick@example.com'),
    refuses: { code: 'USER_DEACTIVATED', status: 401 },
  },
  {
    name: 'an organization without password login refuses the request',
    as: 'anonymous',
    given: (world) => world.settings({ password_login: false }),
    call: signing('hamlet@example.com'),
    refuses: { code: 'PASSWORD_AUTH_DISABLED', status: 401 },
  },
  {
    name: 'an account with a second factor is refused without a code',
    as: 'anonymous',
    given: withFactor,
    call: signing('hamlet@example.com'),
    refuses: { ...lacks('code_missing'), says: /browser.*`code`/ },
  },
  {
    name: 'an empty code is refused like a missing one',
    as: 'anonymous',
    given: withFactor,
    call: coded(() => ''),
    refuses: lacks('code_missing'),
  },
  {
    name: 'a code of the authenticator app gives the API key, also with a space',
    as: 'anonymous',
    given: withFactor,
    call: coded((world) => codeNow(world).replace(/^.../, '$& ')),
    returns: { api_key: /^\w{32}$/ },
  },
  {
    name: 'a wrong code is refused and counted',
    as: 'anonymous',
    given: withFactor,
    call: coded(wrongCode),
    refuses: { ...lacks('code_wrong'), did: 'a part' },
    state: async ({ storage, users }) =>
      assert.equal((await storage.read((tx) => tx.secondFactors.of(users.hamlet)))?.wrong_codes, 1),
  },
  {
    name: 'a wrong password with a right code is refused like any wrong password, and does not use the code up',
    as: 'anonymous',
    given: withFactor,
    call: coded(codeNow, 'wrong'),
    refuses: { code: 'AUTHENTICATION_FAILED', status: 401 },
  },
  {
    name: 'a role that needs a second factor is refused until it is set up',
    as: 'anonymous',
    given: (world) => world.settings({ second_factor_required_for: 'members' }),
    call: coded(() => '123456'),
    refuses: { ...lacks('not_set_up'), says: /browser/ },
  },
  {
    name: 'a lower role than those that need a second factor logs in without',
    as: 'anonymous',
    given: (world) => world.settings({ second_factor_required_for: 'administrators' }),
    call: signing('hamlet@example.com'),
    returns: { api_key: /^\w{32}$/ },
  },
  ...['username', 'password'].map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'anonymous',
      call: ['fetchApiKey', { username: 'a', password: 'b', [missing]: undefined }],
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
]);
