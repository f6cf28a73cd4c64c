import { type Case, cases } from '../../../world/case.ts';
import { PASSWORD } from '../../../world/fixture.ts';

const signing = (username: string, password = PASSWORD) => ['fetchApiKey', { username, password }] as const;

const failed = (name: string, call: Case['call']): Case => ({
  name,
  as: 'nobody',
  call,
  refuses: { code: 'AUTHENTICATION_FAILED', status: 401 },
});

export const fetchApiKeyCases = cases('fetchApiKey', [
  {
    name: 'gives the key for the password; the address compares without regard to case',
    as: 'nobody',
    call: signing('HAMLET@example.com'),
    returns: ({ users }) => ({ api_key: /^\w{32}$/, email: 'Hamlet@example.com', user_id: users.hamlet }),
  },
  failed('a wrong password fails', signing('hamlet@example.com', 'wrong')),
  failed('an unknown address fails the same way', signing('fortinbras@example.com')),
  failed('an account without a password fails the same way', signing('cordelia@example.com')),
  failed('a bot fails the same way', signing('clerk-bot@chat.example.com')),
  failed('a deactivated account with a wrong password fails the same way', signing('yorick@example.com', 'wrong')),
  {
    name: 'a deactivated account with its password is told so',
    as: 'nobody',
    call: signing('yorick@example.com'),
    refuses: { code: 'USER_DEACTIVATED', status: 401 },
  },
  {
    name: 'an organization may do without passwords',
    as: 'nobody',
    given: (world) => world.settings({ password_login: false }),
    call: signing('hamlet@example.com'),
    refuses: { code: 'PASSWORD_AUTH_DISABLED', status: 401 },
  },
  ...['username', 'password'].map(
    (missing): Case => ({
      name: `${missing} is required`,
      as: 'nobody',
      call: ['fetchApiKey', { username: 'a', password: 'b', [missing]: undefined }],
      refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    }),
  ),
]);
