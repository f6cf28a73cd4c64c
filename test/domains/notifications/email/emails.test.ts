import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { openMailPlace, PERIOD_SECONDS, SITE } from './places.ts';

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`e-mails about missed messages on ${engine.name}`, () => {
    test('direct messages to a user who is away come in one e-mail after the period of the first one', async (t) => {
      const place = await openMailPlace(t, engine);
      const { box, clock, chat, direct, wait, mailed } = place;
      const first = await direct('Ada', 'Ben', 'Are you **there**?');
      await chat.runDue();
      clock.advance({ seconds: PERIOD_SECONDS - 1 });
      await direct('Ada', 'Ben', 'Hello?');
      await chat.runDue();
      assert.deepEqual(mailed(), []);
      await wait(1);
      assert.deepEqual(mailed(), [['ben@example.com', 'Ada', 'Are you there?', 'Hello?']]);
      const letter = box.latest();
      assert.deepEqual(letter.from, { name: 'Ada', address: 'chat@example.com' });
      assert.match(letter.text ?? '', /You have 2 new messages from Ada\.\n/);
      assert.match(letter.text ?? '', /because you got a direct message\./);
      assert.ok(letter.text?.includes(`${SITE}/#narrow/dm/${place.ids.Ada},${place.ids.Ben}/near/${first}`));
      assert.match(letter.html ?? '', /Are you <strong>there<\/strong>\?/);
      await wait();
      assert.deepEqual(mailed(), [], 'once');
      assert.deepEqual(place.failures, []);
    });

    test('a user who is online, or who reads in time, gets no e-mail', async (t) => {
      const { arrives, direct, reads, wait, mailed } = await openMailPlace(t, engine);
      await arrives('Ben');
      await direct('Ada', 'Ben', 'online');
      await wait();
      const id = await direct('Ada', 'Cyd', 'read');
      await wait(60);
      await reads('Cyd', id);
      await wait();
      assert.deepEqual(mailed(), []);
    });

    test('only users whom a channel message concerns get an e-mail, with its reason', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd', 'Dee', 'Eve', 'Fay']);
      const { as, ids, say, wait, mailed, box } = place;
      const channel = await place.channel('support', Object.keys(ids));
      await as('Ada').userGroups.create({ name: 'cooks', description: '', members: [ids.Cyd as number] });
      // The notification bot tells Cyd of the group.
      await wait();
      mailed();
      const others = box.letters.length;
      await as('Dee').userTopics.set({ stream_id: channel, topic: 'order 17', visibility_policy: 3 });
      await as('Eve').subscriptions.updateProperties({
        subscription_data: [{ stream_id: channel, property: 'email_notifications', value: true }],
      });
      await say('Ada', channel, 'order 17', 'before');
      await say('Ada', channel, 'order 17', '@**Ben** and @*cooks*');
      await wait();
      const reasons = Object.fromEntries(
        box.letters
          .slice(others)
          .map(({ to, text = '' }) => [to?.[0]?.address, /You get this e-mail [^\n]*/.exec(text)?.[0]]),
      );
      assert.deepEqual(reasons, {
        'ben@example.com': 'You get this e-mail because you were mentioned.',
        'cyd@example.com': 'You get this e-mail because @cooks was mentioned.',
        'dee@example.com': 'You get this e-mail because you follow the topic.',
        'eve@example.com': 'You get this e-mail because you chose e-mail about messages in #support.',
      });
      assert.deepEqual(mailed(), [
        // The message before a mention is its context.
        ['ben@example.com', '#support > order 17', 'before', '@Ben and @cooks'],
        ['cyd@example.com', '#support > order 17', 'before', '@Ben and @cooks'],
        ['dee@example.com', '#support > order 17', 'before', '@Ben and @cooks'],
        ['eve@example.com', '#support > order 17', 'before', '@Ben and @cooks'],
      ]);
      assert.ok(box.latest().text?.includes(`/#narrow/channel/${channel}-support/topic/order.2017/near/`));
      await say('Ada', channel, 'order 17', '@**all** lunch');
      await wait();
      const all = ['ben', 'cyd', 'dee', 'eve', 'fay'].map((name) => `${name}@example.com`);
      assert.deepEqual(
        mailed().map(([to]) => to),
        all,
      );
    });

    test('a choice of a channel, of all channels, a topic or a subscription counts from the next message in every process', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd']);
      const { ids, say, wait, mailed } = place;
      const channel = await place.channel('support', ['Ada', 'Ben']);
      const elsewhere = await place.another();
      const on = (name: string) => elsewhere.as(ids[name] as number);
      const choose = (value: boolean) =>
        on('Ben').subscriptions.updateProperties({
          subscription_data: [{ stream_id: channel, property: 'email_notifications', value }],
        });
      await wait();
      mailed();
      const sentTo = async () => {
        await say('Ada', channel, 'order 17', 'x');
        await wait();
        return mailed().map(([to]) => to);
      };
      assert.deepEqual(await sentTo(), []);
      await choose(true);
      assert.deepEqual(await sentTo(), ['ben@example.com']);
      await choose(false);
      assert.deepEqual(await sentTo(), []);
      const setTopic = (visibility_policy: 0 | 3) =>
        on('Ben').userTopics.set({ stream_id: channel, topic: 'Order 17', visibility_policy });
      await setTopic(3);
      assert.deepEqual(await sentTo(), ['ben@example.com']);
      await setTopic(0);
      assert.deepEqual(await sentTo(), []);
      await on('Cyd').settings.edit({ enable_stream_email_notifications: true });
      assert.deepEqual(await sentTo(), []);
      await on('Cyd').subscriptions.add({ subscriptions: [{ name: 'support' }] });
      assert.deepEqual(await sentTo(), ['cyd@example.com']);
    });

    test('a message that is deleted, muted or out of sight when the e-mail is due sends none', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd', 'Dee', 'Eve', 'Fay', 'Gus']);
      const { as, ids, say, direct, wait, mailed, chat } = place;
      const channel = await place.channel('general', ['Ada', 'Ben', 'Cyd', 'Dee'], { invite_only: true });
      const secret = await place.channel('secret', ['Ada'], { invite_only: true });
      await as('Cyd').userTopics.set({ stream_id: channel, topic: 'tea', visibility_policy: 3 });
      const moved = await say('Ada', channel, 'cake', '@**Ben** moved');
      await say('Ada', channel, 'tea', 'unfollowed');
      await say('Ada', channel, 'soup', '@**Dee** left');
      const gone = await direct('Ada', 'Eve', 'deleted');
      await direct('Ada', 'Fay', 'muted');
      await direct('Ada', 'Gus', 'deactivated');
      await chat.runDue();
      await as('Ada').messages.edit({ message_id: moved, stream_id: secret, topic: 'cake' });
      await as('Cyd').userTopics.set({ stream_id: channel, topic: 'tea', visibility_policy: 1 });
      await as('Ada').subscriptions.remove({ subscriptions: ['general'], principals: [ids.Dee as number] });
      await as('Ada').messages.delete({ message_id: gone });
      await as('Fay').mutedUsers.add({ muted_user_id: ids.Ada as number });
      await as('Ada').users.deactivate({ user_id: ids.Gus as number });
      await wait();
      assert.deepEqual(mailed(), []);
      assert.deepEqual(place.failures, []);
    });

    test('settings of the user end e-mails, also of messages that wait', async (t) => {
      const { as, direct, wait, mailed, chat } = await openMailPlace(t, engine);
      await direct('Ada', 'Ben', 'waits');
      await chat.runDue();
      await as('Ben').settings.edit({ enable_offline_email_notifications: false });
      await as('Cyd').settings.edit({ email_notifications_batching_period_seconds: 600 });
      await direct('Ada', 'Cyd', 'later');
      await wait();
      assert.deepEqual(mailed(), []);
      await wait(480);
      assert.deepEqual(mailed(), [['cyd@example.com', 'Ada', 'later']]);
    });

    test('an edit notifies only users whom the message did not mention before, and no message counts twice', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd', 'Dee']);
      const { as, say, wait, mailed, box, chat } = place;
      const channel = await place.channel('general', ['Ada', 'Ben', 'Cyd', 'Dee']);
      await wait();
      mailed();
      await as('Cyd').userTopics.set({ stream_id: channel, topic: 'tea', visibility_policy: 3 });
      const message_id = await say('Ada', channel, 'tea', '@**Ben** tee');
      await chat.runDue();
      await as('Ada').messages.edit({ message_id, content: '@**Ben** @**Cyd** tea' });
      await wait();
      assert.deepEqual(mailed(), [
        ['ben@example.com', '#general > tea', '@Ben @Cyd tea'],
        ['cyd@example.com', '#general > tea', '@Ben @Cyd tea'],
      ]);
      for (const { text = '' } of box.letters.slice(-2)) assert.match(text, /^You have a new message in/);
      await as('Ada').messages.edit({ message_id, content: 'tea' });
      await as('Ada').messages.edit({ message_id, content: '@**Ben** @**Cyd** @**Dee** tea!' });
      await wait();
      assert.deepEqual(mailed(), [['dee@example.com', '#general > tea', '@Ben @Cyd @Dee tea!']]);
    });

    test('an e-mail has 20 messages and counts the others', async (t) => {
      const { box, direct, wait, mailed } = await openMailPlace(t, engine);
      for (let n = 1; n <= 34; n++) await direct('Ada', 'Ben', `message ${n}`);
      await wait();
      const [letter = []] = mailed();
      assert.deepEqual([letter.length, letter[2], letter.at(-1)], [22, 'message 1', 'message 20']);
      assert.match(box.latest().text ?? '', /You have 34 new messages from Ada\.\n/);
      assert.match(box.latest().text ?? '', /\n\nAnd 14 more\.\n/);
      assert.match(box.latest().html ?? '', /And 14 more\./);
    });

    test('messages that were moved to another topic are in the e-mail of that topic', async (t) => {
      const place = await openMailPlace(t, engine);
      const { as, say, wait, mailed, chat } = place;
      const channel = await place.channel('general', ['Ada', 'Ben']);
      await say('Ada', channel, 'old', '@**Ben** stays');
      const moved = await say('Ada', channel, 'old', '@**Ben** goes');
      await chat.runDue();
      await as('Ada').messages.edit({
        message_id: moved,
        topic: 'new',
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: false,
      });
      await wait();
      assert.deepEqual(mailed(), [
        ['ben@example.com', '#general > new', '@Ben goes'],
        ['ben@example.com', '#general > old', '@Ben stays'],
      ]);
    });

    test('two workers send each e-mail once', async (t) => {
      const place = await openMailPlace(t, engine);
      const { direct, chat, clock, mailed } = place;
      const other = await place.another();
      for (let n = 0; n < 6; n++) {
        await direct('Ada', 'Ben', `b${n}`);
        await direct('Ada', 'Cyd', `c${n}`);
      }
      for (const seconds of [0, PERIOD_SECONDS, 0]) {
        clock.advance({ seconds });
        await Promise.all([chat.runDue(), other.runDue()]);
      }
      assert.deepEqual(mailed(), [
        ['ben@example.com', 'Ada', ...Array.from({ length: 6 }, (_, n) => `b${n}`)],
        ['cyd@example.com', 'Ada', ...Array.from({ length: 6 }, (_, n) => `c${n}`)],
      ]);
    });

    test('a decision that a killed process has recorded is not repeated', async (t) => {
      const { storage, clock, direct, wait, mailed } = await openMailPlace(t, engine);
      const message_id = await direct('Ada', 'Ben', 'once');
      await wait();
      assert.equal(mailed().length, 1);
      const again = { kind: 'push-message', payload: { message_id, after: null }, due_ms: clock.now() };
      await storage.write((tx) => tx.outbox.add([again]));
      await wait();
      assert.deepEqual(mailed(), []);
    });

    test('an e-mail whose delivery is not confirmed is sent again with the same message ID', async (t) => {
      const { box, direct, wait } = await openMailPlace(t, engine);
      box.forgets.add('ben@example.com');
      await direct('Ada', 'Ben', 'hello');
      await wait();
      await wait(60);
      const ids = box.letters.map(({ messageId }) => messageId);
      assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
    });

    test('a message read while the mail server is down is not mailed when it is up again', async (t) => {
      const { box, direct, reads, wait, mailed } = await openMailPlace(t, engine);
      await box.close();
      const id = await direct('Ada', 'Ben', 'read');
      await direct('Ada', 'Cyd', 'unread');
      await wait();
      await reads('Ben', id);
      await box.reopen();
      await wait(600);
      assert.deepEqual(mailed(), [['cyd@example.com', 'Ada', 'unread']]);
    });

    test('with `notifications: { email: false }` messages send no e-mail', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben'], { notifications: { email: false } });
      await place.direct('Ada', 'Ben', 'hello');
      await place.wait();
      assert.deepEqual(place.mailed(), []);
      assert.equal(await place.storage.read((tx) => tx.outbox.nextDue('push-message')), undefined);
    });
  });
}
