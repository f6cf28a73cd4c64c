import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { type Engine, featureEngines, testOn } from '../../../support/engines.ts';
import { openMailPlace } from './places.ts';

const DAY = 24 * 3_600;

for (const engine of featureEngines) {
  const test = testOn(engine);

  /** It is Friday. The digest is due on Tuesday at 9:00 UTC. Only digests send e-mail. */
  async function openQuietPlace(t: TestContext, of: Engine, people: string[]) {
    const place = await openMailPlace(t, of, people);
    const { as, ids, chat, mailed } = place;
    await as('Ada').organization.edit({ digest_emails_enabled: true });
    for (const name of Object.keys(ids)) {
      await as(name).settings.edit({
        enable_offline_email_notifications: false,
        enable_followed_topic_email_notifications: false,
      });
    }
    const channel = await place.channel('general', Object.keys(ids));
    await as('Ada').messages.markAllRead();
    for (const name of people) await as(name).messages.markAllRead();
    await chat.runDue();
    mailed();
    return { ...place, channel };
  }

  describe(`the weekly digest on ${engine.name}`, () => {
    test('users who are away get their unread conversations of the week once, on the weekday of the organization', async (t) => {
      const place = await openQuietPlace(t, engine, ['Ben', 'Cyd', 'Dee', 'Eve', 'Fay']);
      const { as, say, direct, arrives, wait, mailed, channel, chat, clock, box } = place;
      const other = await place.another();
      await say('Ada', channel, 'tea', 'Tea at 5.');
      await say('Ada', channel, 'tea', 'Or at 6.');
      await direct('Ada', 'Ben', 'Where are you?');
      await as('Cyd').messages.markAllRead();
      await as('Dee').settings.edit({ enable_digest_emails: false });
      await as('Fay').userTopics.set({ stream_id: channel, topic: 'tea', visibility_policy: 1 });
      await wait(3 * DAY);
      await arrives('Eve');
      assert.deepEqual(mailed(), [], 'not before Tuesday');
      clock.advance({ seconds: DAY });
      await Promise.all([chat.runDue(), other.runDue()]);
      assert.deepEqual(
        mailed().map(([to, subject]) => [to, subject]),
        [['ben@example.com', 'Your week in Example']],
      );
      const { text = '', headers } = box.latest();
      assert.match(text, /You have 3 new messages in 2 conversations of Example\./);
      assert.match(
        text,
        /\n\nAda: a new message\nAda: Where are you\?\nhttps:\S+\n\n#general > tea: 2 new messages\nAda: Tea at 5\.\n/,
      );
      await wait(5 * DAY);
      assert.deepEqual(mailed(), [], 'once');
      const link = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
      const [, token = ''] = /unsubscribe\/(\w+)\//.exec(link) ?? [];
      assert.deepEqual(await chat.anonymous().settings.unsubscribe({ token }), { kind: 'digest', is_on: false });
      await direct('Ada', 'Ben', 'Still away?');
      await direct('Ada', 'Eve', 'And you?');
      await wait(2 * DAY);
      assert.deepEqual(
        mailed().map(([to]) => to),
        ['eve@example.com'],
        'earlier messages, the link and who was here count',
      );
      assert.match(box.latest().text ?? '', /You have a new message in one conversation of Example\./);
      assert.deepEqual(place.failures, []);
    });

    test('without the setting, and after more than a day without a worker, there is no digest', async (t) => {
      const place = await openQuietPlace(t, engine, ['Ben']);
      const { as, direct, mailed, chat, clock, wait } = place;
      await direct('Ada', 'Ben', 'one');
      await chat.runDue();
      clock.advance({ seconds: 6 * DAY });
      await chat.runDue();
      assert.deepEqual(mailed(), [], 'a day late');
      await as('Ada').organization.edit({ digest_emails_enabled: false });
      await direct('Ada', 'Ben', 'two');
      await wait(8 * DAY);
      assert.deepEqual(mailed(), []);
      await as('Ada').organization.edit({ digest_emails_enabled: true, digest_weekday: 6 });
      await direct('Ada', 'Ben', 'three');
      await wait(2 * DAY);
      assert.equal(mailed().length, 1, 'on Sunday');
    });
  });
}
