import assert from 'node:assert/strict';
import { openChat } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { testOn } from '../support/engines.ts';
import { places, storageAt } from './migration-places.ts';

const { version } = migrations.find((migration) => migration.name === 'verified addresses') ?? assert.fail();
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

for (const { name, skip, make } of places) {
  testOn({ skip })(
    `an upgrade verifies the addresses of accounts that did not join by invitation (${name})`,
    async (t) => {
      const place = await make();
      t.after(() => place.remove());
      const chat = await openChat({ storage: storageAt(place.address), logger: quiet });
      const ada = await chat.createOrganization({ name: 'Old', owner: { email: 'ada@example.com', full_name: 'Ada' } });
      const session = chat.as(ada);
      const { user_id: before } = await session.users.create({ email: 'before@example.com', full_name: 'Before' });
      const { user_id: ben } = await session.users.ensure({ email: 'ben@example.com', full_name: 'Ben' });
      const { user_id: bot } = await session.bots.create({ full_name: 'Bot', short_name: 'bot' });
      const { invite_link } = await session.invites.createMultiuse({ stream_ids: [] });
      const key = invite_link.split('/').at(-2) ?? '';
      const joined = await chat
        .anonymous()
        .invites.accept({ key, email: 'boss@example.com', full_name: 'Boss', password: 'a password of Mallory' });
      // Finding the account later does not prove its origin.
      await session.users.ensure({ email: 'boss@example.com', full_name: 'Boss' }).catch(() => undefined);
      await chat.close();
      // As a version before this migration left it. The first account is older than the audit log.
      await place.sql(`
      ALTER TABLE users DROP COLUMN is_email_verified;
      DELETE FROM migrations WHERE version >= ${version};
      UPDATE users SET joined_ms = joined_ms - 3600000 WHERE id = ${before};
      UPDATE organization SET created_ms = (SELECT joined_ms FROM users WHERE id = ${ada.user_id});`);
      // The tables and columns of later ones are still there.
      const known = migrations.map((later) => (later.version > version ? { ...later, sql: '' } : later));
      const newer = storageAt(place.address, known);
      await newer.open();
      t.after(() => newer.close());
      const users = await newer.read((tx) => tx.users.byIds([ada.user_id, before, ben, bot, joined.user_id]));
      const states = Object.fromEntries(users.map((user) => [user.full_name, user.is_email_verified]));
      assert.deepEqual(states, { Ada: true, Before: false, Ben: true, Bot: true, Boss: false });
    },
  );
}
