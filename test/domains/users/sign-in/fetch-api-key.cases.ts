import { type Case, cases } from '../../../world/case.ts';
import { PASSWORD } from '../../../world/fixture.ts';

const signing = (username: string, password = PASSWORD) => ['fetchApiKey', { username, password }] as const;

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
  ...['username', 'password'].map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'anonymous',
      call: ['fetchApiKey', { username: 'a', password: 'b', [missing]: undefined }],
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
]);
