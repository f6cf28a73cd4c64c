import assert from 'node:assert/strict';
import { type Case, cases } from '../../../world/case.ts';
import { invite, keyOf, latestId, link } from './keys.ts';

const asking = (email: string): Case['call'] => ['invites.confirmAddress', (world) => ({ key: keyOf(world), email })];

/**
 * The caller must not learn whether an address has an account, neither from the response nor from the work before it.
 */
const answersTheSame = (name: string, email: string): Case => ({
  name: `${name} gets the same response as any other and queues the same work`,
  as: 'anonymous',
  mail: true,
  given: (world) => link(world, 'owner'),
  call: asking(email),
  returns: {},
  state: async (world) => {
    const invitation_id = await latestId(world);
    const items = await world.storage.write((tx) => tx.outbox.claimDue('address', Number.MAX_SAFE_INTEGER, 1, 5));
    assert.deepEqual(
      items.map(({ payload }) => payload),
      [{ invitation_id, email: email.trim() }],
    );
  },
});

export const confirmInviteAddressCases = cases('invites.confirmAddress', [
  answersTheSame('an address without an account', ' fortinbras@example.com '),
  answersTheSame('an address with an account', 'HAMLET@example.com'),
  answersTheSame('the address of a deactivated user', 'yorick@example.com'),
  {
    name: 'a server without e-mail refuses the request',
    as: 'anonymous',
    given: (world) => link(world, 'owner'),
    call: asking('fortinbras@example.com'),
    refuses: { code: 'BAD_REQUEST', says: /sends no e-mail/ },
  },
  {
    name: 'an e-mail invitation instead of a reusable link is refused',
    as: 'anonymous',
    mail: true,
    given: (world) => invite(world, 'owner'),
    call: asking('fortinbras@example.com'),
    refuses: { code: 'BAD_REQUEST', says: /only for Horatio@example.com/ },
  },
  {
    name: 'a revoked link is refused',
    as: 'anonymous',
    mail: true,
    given: async (world) => {
      await link(world, 'owner');
      await world.as('owner').invites.revokeMultiuse({ invite_id: await latestId(world) });
    },
    call: asking('fortinbras@example.com'),
    refuses: { code: 'INVITATION_UNUSABLE', data: { reason: 'revoked' } },
  },
  {
    name: 'an unknown key is refused',
    as: 'anonymous',
    mail: true,
    call: ['invites.confirmAddress', { key: `me-${'a'.repeat(43)}`, email: 'fortinbras@example.com' }],
    refuses: { code: 'INVITATION_UNUSABLE', data: { reason: 'unknown' } },
  },
  ...[
    ['fortinbras', /not an e-mail address/],
    ['', /not an e-mail address/],
    ['fortinbras@mailinator.com', /disposable/],
  ].map(
    ([email, says]): Case => ({
      name: `the address "${email}" is refused`,
      as: 'anonymous',
      mail: true,
      given: (world) => link(world, 'owner'),
      call: asking(String(email)),
      refuses: { code: 'BAD_REQUEST', says: says as RegExp },
    }),
  ),
  {
    name: 'a request without an address is refused',
    as: 'anonymous',
    mail: true,
    given: (world) => link(world, 'owner'),
    call: ['invites.confirmAddress', (world) => ({ key: keyOf(world) })],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'email' } },
  },
]);
