import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';

/**
 * The caller must not learn whether an address has an account, neither from the response nor from the work before it.
 */
const answersTheSame = (name: string, email: string): Case => ({
  name: `${name} gets the same response as any other and queues the same work`,
  as: 'anonymous',
  mail: true,
  call: ['passwords.requestReset', { email }],
  returns: {},
  state: async ({ storage, clock }) => {
    const items = await storage.write((tx) => tx.outbox.claimDue('password reset', clock.now(), clock.now() + 1, 5));
    assert.deepEqual(
      items.map(({ payload }) => payload),
      [{ email: email.trim() }],
    );
  },
});

export const requestPasswordResetCases = cases('passwords.requestReset', [
  answersTheSame('an address with an account', ' HAMLET@example.com '),
  answersTheSame('an address without an account', 'fortinbras@example.com'),
  answersTheSame('the address of a deactivated user', 'yorick@example.com'),
  answersTheSame('the address of a bot', 'clerk-bot@chat.example.com'),
  {
    name: 'an invalid e-mail address is refused',
    as: 'anonymous',
    mail: true,
    call: ['passwords.requestReset', { email: 'hamlet' }],
    refuses: { code: 'BAD_REQUEST', says: /not an e-mail address/ },
  },
  {
    name: 'a server without e-mail refuses and says to ask an administrator',
    as: 'anonymous',
    call: ['passwords.requestReset', { email: 'hamlet@example.com' }],
    refuses: { code: 'BAD_REQUEST', says: /Ask an administrator/ },
  },
  {
    name: 'an organization without password login refuses the request',
    as: 'anonymous',
    mail: true,
    given: (world) => world.settings({ password_login: false }),
    call: ['passwords.requestReset', { email: 'hamlet@example.com' }],
    refuses: { code: 'PASSWORD_AUTH_DISABLED', status: 401 },
  },
  {
    name: 'a request without an address is refused',
    as: 'anonymous',
    mail: true,
    call: ['passwords.requestReset', {}],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'email' } },
  },
]);
