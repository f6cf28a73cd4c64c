import assert from 'node:assert/strict';
import { openChat } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import { testOn } from '../support/engines.ts';
import { places, storageAt } from './migration-places.ts';

const migration = migrations.find(({ name }) => name === 'one spelling') ?? assert.fail();
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const CAFÉ = { nfc: 'Caf\u00e9', nfd: 'Cafe\u0301' };

for (const { name, skip, make } of places) {
  testOn({ skip })(
    `an upgrade finds channels and topics that were stored in NFD, and tells equal ones apart (${name})`,
    async (t) => {
      const place = await make();
      t.after(() => place.remove());
      const chat = await openChat({ storage: storageAt(place.address), logger: quiet });
      const ada = await chat.createOrganization({ name: 'Old', owner: { email: 'ada@example.com', full_name: 'Ada' } });
      const session = chat.as(ada);
      for (const channel of ['one', 'two']) await session.subscriptions.add({ subscriptions: [{ name: channel }] });
      const { stream_id } = await session.channels.getId({ stream: 'one' });
      for (const topic of ['first', 'second', 'third'])
        await session.messages.send({ type: 'channel', to: stream_id, topic, content: topic });
      await session.userTopics.set({ stream_id, topic: 'second', visibility_policy: 3 });
      await chat.close();
      // As a version before this migration left them.
      await place.sql(`
      UPDATE channels SET name = '${CAFÉ.nfd}', name_key = lower('${CAFÉ.nfd}') WHERE name = 'one';
      UPDATE channels SET name = '${CAFÉ.nfc}', name_key = 'caf\u00e9' WHERE name = 'two';
      UPDATE conversations SET topic = '${CAFÉ.nfc}', topic_key = 'caf\u00e9' WHERE topic = 'first';
      UPDATE conversations SET topic = '${CAFÉ.nfd}', topic_key = 'cafe\u0301' WHERE topic = 'second';
      UPDATE conversations SET topic = '\u212a', topic_key = 'k' WHERE topic = 'third';
      UPDATE user_topics SET topic = '${CAFÉ.nfd}', topic_key = 'cafe\u0301' WHERE topic = 'second';
      DELETE FROM user_topics WHERE topic IN ('first', 'third');
      DROP TABLE email_periods; DROP TABLE email_notices; DROP TABLE email_bounces;
      DROP INDEX subscriptions_mailed; DROP INDEX users_mailed_about_channels;
      DROP TABLE imported_records;
      DROP TABLE push_browsers; ALTER TABLE organization DROP COLUMN web_push_generation;
      DROP INDEX subscriptions_pushed; DROP INDEX users_pushed_about_channels;
      DROP TABLE email_counts; DROP TABLE digests;
      DROP TABLE external_logins; DROP TABLE second_factors; DROP TABLE data_exports; DROP TABLE link_previews;
      DROP TABLE organization_pictures;
      DELETE FROM migrations WHERE version >= ${migration.version};`);
      const newer = await openChat({ storage: storageAt(place.address), logger: quiet });
      t.after(() => newer.close());
      const later = newer.as(ada);
      const found = await later.channels.getId({ stream: `${CAFÉ.nfd} (2)` });
      assert.equal(found.stream_id, stream_id);
      const { topics } = await later.topics.list({ stream_id });
      assert.deepEqual(topics.map((topic) => topic.name).sort(), [CAFÉ.nfc, `${CAFÉ.nfc} (2)`, 'K', 'channel events']);
      const narrow = [
        { operator: 'channel', operand: stream_id },
        { operator: 'topic', operand: `${CAFÉ.nfd} (2)` },
      ];
      const { messages } = await later.messages.list({ narrow, anchor: 'newest', num_before: 5, num_after: 0 });
      assert.deepEqual(
        messages.map(({ content }) => content),
        ['<p>second</p>'],
      );
      const { user_topics } = await later.userTopics.list();
      assert.deepEqual(
        user_topics.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]),
        [[CAFÉ.nfc, 3]],
      );
    },
  );
}
