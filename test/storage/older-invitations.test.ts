import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe } from 'node:test';
import { deriveKey } from '../../lib/access/credentials.ts';
import { openChat } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { testOn } from '../support/engines.ts';
import { places } from './migration-places.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const SEED = 'ab'.repeat(16);

for (const { name, skip, make } of places) {
  const test = testOn({ skip });

  describe(`invitations of an earlier version on ${name}`, () => {
    test('a link sent before an upgrade is listed, and can be accepted once', async (t) => {
      const place = await make();
      t.after(() => place.remove());
      const storage = place.storage(migrations);
      const chat = await openChat({ storage, logger: quiet, baseUrl: 'https://chat.example.com' });
      t.after(() => chat.close());
      const founder = await chat.createOrganization({
        name: 'Old',
        owner: { email: 'ada@example.com', full_name: 'Ada' },
      });
      const secret = (await storage.read((tx) => tx.organization.get()))?.secret ?? '';
      const key = deriveKey(secret, `invitation:${SEED}`, 24);
      const hash = createHash('sha256').update(key).digest('hex');
      await place.sql(`
        INSERT INTO invitation_offers (invited_by_user_id, invited_as, stream_ids, group_ids,
          include_realm_default_subscriptions, notify_referrer_on_join, created_ms)
        VALUES (${founder.user_id}, 400, '[]', '[]', 0, 0, 1)`);
      await place.sql(`
        INSERT INTO invitations (offer_id, email, email_key, seed, key_hash)
        SELECT MAX(id), 'zoe@example.com', 'zoe@example.com', '${SEED}', '${hash}' FROM invitation_offers`);
      const { invites } = await chat.as(founder).invites.list({ include_links: true });
      assert.equal(invites[0]?.link_url, `https://chat.example.com/join/${key}/`);
      const anonymous = chat.anonymous();
      const numbered = `${invites[0]?.id.toString(36)}${key}`;
      await assert.rejects(anonymous.invites.preview({ key: numbered }), { data: { reason: 'unknown' } });
      assert.equal((await anonymous.invites.accept({ key, full_name: 'Zoe' })).email, 'zoe@example.com');
      await assert.rejects(anonymous.invites.preview({ key }), { data: { reason: 'used' } });
    });
  });
}
