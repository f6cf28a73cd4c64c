import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { MAX_EMAILS_FROM, MAX_EMAILS_TO } from '../../../../lib/domains/notifications/email/hourly-limits.ts';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { openMailPlace, PERIOD_SECONDS } from './places.ts';

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`limits of e-mails on ${engine.name}`, () => {
    test('a user who writes in many topics causes 20 e-mails to a reader in an hour, and then one with all others', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd']);
      const { say, wait, mailed, box, as, chat, clock } = place;
      const other = await place.another();
      const channel = await place.channel('general', ['Ada', 'Ben', 'Cyd']);
      await wait(3_600);
      mailed();
      const topics = 3 * MAX_EMAILS_TO;
      for (let n = 0; n < topics; n++) await say('Ada', channel, `topic ${n}`, `@**Ben** message ${n}`);
      await Promise.all([chat.runDue(), other.runDue()]);
      clock.advance({ seconds: PERIOD_SECONDS });
      await Promise.all([chat.runDue(), other.runDue()]);
      const first = mailed();
      assert.equal(first.length, MAX_EMAILS_TO);
      await say('Ada', channel, 'topic 0', '@**Ben** again');
      await as('Ben').messages.markTopicRead({ stream_id: channel, topic_name: `topic ${topics - 1}` });
      await wait();
      assert.deepEqual(mailed(), [], 'nothing more in the hour');
      await Promise.all([chat.runDue(), other.runDue()]);
      clock.advance({ seconds: 3_600 - PERIOD_SECONDS });
      await Promise.all([chat.runDue(), other.runDue()]);
      assert.deepEqual(
        mailed().map(([to, subject]) => [to, subject]),
        [['ben@example.com', 'New messages in Example']],
      );
      const { text = '', html = '', headers } = box.latest();
      const conversations = topics - MAX_EMAILS_TO;
      assert.match(
        text,
        new RegExp(`You have ${conversations} new messages in ${conversations} conversations of Example\\.`),
      );
      assert.match(text, new RegExp(`And ${conversations - 20} more\\.`));
      assert.match(text, /because you got 20 e-mails in an hour/);
      for (const form of [text, html])
        assert.match(form, /#narrow\/channel\/\d+-general\/topic\/topic\.20\d+\/near\/\d+/);
      assert.ok(headers.some(({ key }) => key === 'list-unsubscribe'));
      // The next hour starts with an e-mail of its own.
      await say('Ada', channel, 'topic 1', '@**Ben** new hour');
      await wait();
      assert.deepEqual(mailed(), [['ben@example.com', '#general > topic 1', '@Ben message 1', '@Ben new hour']]);
      assert.deepEqual(place.failures, []);
    });

    test('the e-mails of a sender beyond 100 in an hour wait in a queue of their own', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd', 'Dee']);
      const { storage, clock, chat, direct, box, wait, ids } = place;
      const user_id = ids.Ada as number;
      const before = { user_id, is_sender: true, emails: MAX_EMAILS_FROM - 1 };
      await storage.write((tx) => tx.emailNotices.count([before], { nowMs: clock.now(), startedAfterMs: 0 }));
      for (const name of ['Ben', 'Cyd', 'Dee']) await direct('Ada', name, 'spam');
      await direct('Ben', 'Dee', 'not spam');
      await box.close();
      await wait();
      const queues = await storage.read(async ({ outbox }) =>
        Promise.all(['notification email', 'notification email behind'].map((kind) => outbox.nextDue(kind))),
      );
      assert.ok(
        queues.every((at) => at !== undefined),
        'both queues have e-mails',
      );
      await box.reopen();
      clock.advance({ seconds: 5 });
      await chat.runDue();
      assert.equal(box.letters.length, 4);
    });

    test('a user beyond the limit who writes first does not delay the e-mail about the messages of others', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd', 'Dee']);
      const { storage, clock, say, box, wait, mailed, ids } = place;
      const channel = await place.channel('general', ['Ada', 'Ben', 'Cyd', 'Dee']);
      await wait(3_600);
      mailed();
      const exhaust = async (name: string) => {
        const given = { user_id: ids[name] as number, is_sender: true, emails: MAX_EMAILS_FROM };
        await storage.write((tx) => tx.emailNotices.count([given], { nowMs: clock.now(), startedAfterMs: 0 }));
      };
      const queues = () =>
        storage.read(({ outbox }) =>
          Promise.all(
            ['notification email', 'notification email behind'].map(
              async (kind) => (await outbox.nextDue(kind)) !== undefined,
            ),
          ),
        );
      await exhaust('Ada');
      await box.close();
      await say('Ada', channel, 'order 17', '@**Ben** spam');
      await say('Cyd', channel, 'order 17', '@**Ben** not spam');
      await wait();
      assert.deepEqual(await queues(), [true, false], 'Cyd is below the limit');
      await box.reopen();
      await wait(600);
      // Ada follows the topic, which she began.
      assert.deepEqual(
        mailed().map(([to]) => to),
        ['ada@example.com', 'ben@example.com'],
      );
      await exhaust('Cyd');
      await box.close();
      await say('Ada', channel, 'order 18', '@**Ben** spam');
      await say('Cyd', channel, 'order 18', '@**Ben** also spam');
      await wait();
      assert.deepEqual(await queues(), [false, true], 'both are beyond the limit');
      await box.reopen();
    });

    test('an e-mail about more messages than are stored says that there are more conversations', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben']);
      const { storage, clock, chat, direct, wait, box, mailed, ids } = place;
      const message_id = await direct('Ada', 'Ben', 'hello');
      await wait();
      mailed();
      const notices = [{ message_id, group_id: null }];
      const period = { user_id: ids.Ben as number, conversation_id: 1, messages: 980, due_ms: clock.now() };
      const batch = { ...period, notices, sender_ids: [] };
      await storage.write((tx) => tx.emailNotices.postpone([batch]));
      await chat.runDue();
      assert.match(box.latest().text ?? '', /You have 980 new messages in more than one conversation of Example\./);
    });

    test('the program gets each conversation when its period ends, also beyond the limit of e-mails', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben'], { notifications: { program: ['email'] } });
      const { chat, direct, wait, say } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      await wait(3_600);
      const got: string[] = [];
      await chat.on('notification', ({ conversation }) => void got.push(conversation.name), { cursor: 'test' });
      await direct('Ada', 'Ben', 'hello');
      for (let n = 0; n < MAX_EMAILS_TO + 2; n++) await say('Ada', channel, `topic ${n}`, '@**Ben**');
      await wait();
      await wait(3_600);
      for (let n = 0; n < 100 && got.length < MAX_EMAILS_TO + 3; n++) await new Promise((done) => setTimeout(done, 20));
      assert.equal(new Set(got).size, MAX_EMAILS_TO + 3);
      assert.equal(got.length, MAX_EMAILS_TO + 3);
    });
  });
}
