import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { openChat } from '../../../../lib/index.ts';
import type { Storage } from '../../../../lib/storage/interface/storage.ts';
import { holdUntil } from '../../../contract/fixtures.ts';
import { invited, offer } from '../../../contract/invitations-contract.ts';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const TOO_MANY = { code: 'BAD_REQUEST', message: /can have at most .* pending invitations/ };

for (const engine of featureEngines) {
  const test = testOn(engine);

  async function open(t: TestContext) {
    const place = await engine.open();
    t.after(() => place.dispose());
    const clock = new ManualClock(Date.UTC(2026, 10, 20));
    const process = async (storage: Storage) => {
      const chat = await openChat({ storage, clock, logger: quiet, baseUrl: 'https://chat.example.com' });
      t.after(() => chat.close());
      return chat;
    };
    const chat = await process(place.storage);
    const { user_id: ada } = await chat.createOrganization({
      name: 'Example',
      owner: { email: 'ada@example.com', full_name: 'Ada' },
    });
    const owner = chat.as(ada);
    await owner.organization.edit({ create_multiuse_invite_group: { new: 6 } });
    const { user_id: ben } = await owner.users.create({ email: 'ben@example.com', full_name: 'Ben' });
    const { user_id: eve } = await owner.users.create({ email: 'eve@example.com', full_name: 'Eve' });
    return {
      ada: owner,
      ben: chat.as(ben),
      ids: { ada, ben, eve },
      storage: place.storage,
      clock,
      another: async () => (await process(await place.reopen())).as(ben),
      pending: (id: number, count: number, expires_ms: number | null = null) =>
        place.storage.write((tx) =>
          tx.invitations.create(
            offer({ id }, { expires_ms }),
            Array.from({ length: count }, (_, at) => invited(`${id}of${at}`)),
            null,
          ),
        ),
    };
  }

  const link = { invite_expires_in_minutes: null };
  const people = (count: number) => ({
    invitee_emails: Array.from({ length: count }, (_, at) => `new${at}@example.com`).join(),
    stream_ids: [],
  });

  describe(`pending invitations, on ${engine.name}`, () => {
    test('a member has at most 1,000 pending invitations and links', async (t) => {
      const { ada, ben, ids, pending, clock } = await open(t);
      const [one] = await pending(ids.ben, 998);
      await pending(ids.ben, 1, clock.now() + 60_000);
      await assert.rejects(ben.invites.send(people(2)), TOO_MANY);
      await ben.invites.createMultiuse(link);
      await assert.rejects(ben.invites.send(people(1)), TOO_MANY);
      await assert.rejects(ben.invites.createMultiuse(link), TOO_MANY);
      await ada.invites.send(people(1));
      assert.equal((await ben.invites.list()).invites.length, 1_000);
      await ben.invites.revoke({ invite_id: one as number });
      await ben.invites.send(people(1));
      await assert.rejects(ben.invites.send(people(1)), TOO_MANY);
      clock.advance({ seconds: 61 });
      await ben.invites.send(people(1));
    });

    test('a request refused for pending invitations does not count for the daily limit', async (t) => {
      const { ben, ids, pending, storage } = await open(t);
      await pending(ids.ben, 999);
      await assert.rejects(ben.invites.send(people(2)), TOO_MANY);
      assert.equal(await storage.read((tx) => tx.invitations.sentSince(ids.ben, 0)), 0);
    });

    test('max_invites above 1,000 raises the limit of pending invitations', async (t) => {
      const { ada, ben, ids, pending } = await open(t);
      await ada.organization.edit({ max_invites: 1_500 });
      await pending(ids.ben, 1_499);
      await ben.invites.send(people(1));
      await assert.rejects(ben.invites.createMultiuse(link), TOO_MANY);
    });

    test('an administrator has at most 10,000 pending invitations, an organization 20,000', async (t) => {
      const { ada, ben, ids, pending } = await open(t);
      await pending(ids.ada, 10_000);
      await assert.rejects(ada.invites.createMultiuse(link), TOO_MANY);
      await ben.invites.createMultiuse(link);
      await pending(ids.eve, 9_999);
      await assert.rejects(ben.invites.createMultiuse(link), TOO_MANY);
    });

    test('the limit of pending invitations counts those another process is committing', async (t) => {
      const { ids, pending, storage, another } = await open(t);
      await pending(ids.ben, 999);
      const there = await another();
      let isInside = false;
      let isAsked = false;
      const first = storage.write(async (tx) => {
        await tx.invitations.create(offer({ id: ids.ben }), [invited('first')], null);
        isInside = true;
        // The SQLite driver waits for the lock and blocks this process.
        await holdUntil(tx, () => isAsked || engine.name !== 'PostgreSQL');
      });
      await until('the invitation is written', () => isInside, { every: 0 });
      setTimeout(() => {
        isAsked = true;
      }, 50);
      await assert.rejects(there.invites.createMultiuse(link), TOO_MANY);
      await first;
    });
  });
}
