import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { isChatError, openChat } from '../../../../lib/index.ts';
import { systemGroupId } from '../../../../lib/rules/roles.ts';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const TAKEN = ['ada@example.com', 'ben@example.com', 'eve@example.com', 'joe@example.com'];

for (const engine of featureEngines) {
  const test = testOn(engine);

  async function open(t: TestContext) {
    const place = await engine.open();
    t.after(() => place.dispose());
    const clock = new ManualClock(Date.UTC(2026, 10, 20));
    const chat = await openChat({ storage: place.storage, clock, logger: quiet, baseUrl: 'https://chat.example.com' });
    t.after(() => chat.close());
    const ada = { email: 'ada@example.com', full_name: 'Ada' };
    const owner = chat.as((await chat.createOrganization({ name: 'Example', owner: ada })).user_id);
    const people = TAKEN.slice(1).map((email) => owner.users.create({ email, full_name: email.slice(0, 3) }));
    const [ben = 0] = (await Promise.all(people)).map(({ user_id }) => user_id);
    await owner.organization.edit({ max_invites: 4 });
    return { owner, ben: chat.as(ben), id: ben, clock };
  }

  const to = (...emails: string[]) => ({ invitee_emails: emails.join(), stream_ids: [] });
  type Session = Awaited<ReturnType<typeof open>>['ben'];
  const isReached = (error: unknown) => isChatError(error, 'INVITATION_FAILED') && error.data.daily_limit_reached;

  describe(`addresses that invitations reveal, on ${engine.name}`, () => {
    const ways: Record<string, (session: Session, id: number, ...emails: string[]) => Promise<unknown>> = {
      'a dry run': (session, _, ...emails) => session.dryRun.invites.send(to(...emails)),
      'a refused invitation': (session, _, ...emails) => session.invites.send(to(...emails)),
      'a refused list with an invalid address': (session, _, ...emails) => session.invites.send(to('x', ...emails)),
      'an explanation': (session, id, ...emails) => session.why(id, 'invites.send', to(...emails)),
    };
    for (const [name, attempt] of Object.entries(ways)) {
      test(`G3: ${name} counts the accounts that it names`, async (t) => {
        const { ben, id, clock } = await open(t);
        const next = () => ben.dryRun.invites.send(to('joe@example.com', 'new@example.com'));
        await attempt(ben, id, ...TAKEN.slice(0, 3)).catch(() => undefined);
        await assert.rejects(next(), isReached);
        clock.advance({ hours: 25 });
        const names = (error: unknown) =>
          isChatError(error, 'INVITATION_FAILED') && error.data.errors[0]?.[0] === 'joe@example.com';
        await assert.rejects(next(), names);
      });
    }

    test('G3: dry runs of new addresses do not count for the limit', async (t) => {
      const { ben } = await open(t);
      const invited = to('a@x.org', 'b@x.org', 'c@x.org', 'd@x.org');
      for (let at = 0; at < 3; at++) await ben.dryRun.invites.send(invited);
      await ben.invites.send(invited);
    });

    test('G3: dry runs at the same time reveal no more than one after another', async (t) => {
      const { ben } = await open(t);
      const attempts = Array.from({ length: 20 }, () => ben.dryRun.invites.send(to(...TAKEN)).catch((error) => error));
      const refusals = await Promise.all(attempts);
      assert.equal(refusals.filter((refusal) => !isReached(refusal)).length, 1);
    });

    test('G3: a member who may not invite gets no information from the count', async (t) => {
      const { ben, owner } = await open(t);
      await owner.organization.edit({ can_invite_users_group: { new: systemGroupId('role:administrators') } });
      const isRefused = (error: unknown) => isChatError(error, 'BAD_REQUEST') && /not allowed/.test(error.message);
      await assert.rejects(ben.dryRun.invites.send(to('joe@example.com')), isRefused);
      await assert.rejects(ben.dryRun.invites.send(to('a@x.org', 'b@x.org', 'c@x.org', 'd@x.org')), isRefused);
    });

    test('G3: a dry run of more addresses than the limit reveals none', async (t) => {
      const { ben } = await open(t);
      await assert.rejects(ben.dryRun.invites.send(to(...TAKEN, 'a@x.org')), isReached);
    });
  });
}
