import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Chat, ChatNotification, NotificationOptions } from '../../../../lib/index.ts';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { openMailPlace, PERIOD_SECONDS, SITE } from '../email/places.ts';

/** Listens with a function that stores what it gets. */
async function heard(chat: Chat, options: NotificationOptions = {}) {
  const all: ChatNotification[] = [];
  const subscription = await chat.on('notification', (notification) => void all.push(notification), options);
  const texts = async () => {
    await subscription.caughtUp();
    const shown = all.map(({ user, messages }) => [user.full_name, ...messages.map(({ content }) => content)]);
    all.length = 0;
    return shown;
  };
  return { all, texts, subscription };
}

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`notifications of the program on ${engine.name}`, () => {
    test('a program gets the messages of a period by the settings of e-mail, instead of the e-mail', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd'], {
        notifications: { email: false, program: ['email'] },
      });
      const { chat, as, ids, direct, say, wait, clock } = place;
      const { all, texts, subscription } = await heard(chat);
      const channel = await place.channel('support', ['Ada', 'Ben', 'Cyd']);
      await chat.sync({ users: [{ external_id: 'u7', name: 'Ben', email: 'ben@example.com' }] });
      await wait();
      await texts();
      const first = await direct('Ada', 'Ben', 'Are you **there**?');
      await chat.runDue();
      assert.deepEqual(await texts(), []);
      await direct('Ada', 'Ben', 'Hello?');
      await wait();
      await subscription.caughtUp();
      const [one] = all;
      assert.deepEqual(all, [
        {
          position: one?.position,
          timestamp_ms: clock.now(),
          user: { user_id: ids.Ben, full_name: 'Ben', email: 'ben@example.com', role: 400 },
          external_id: 'u7',
          message: one?.messages[0],
          messages: one?.messages,
          unread: 2,
          reasons: ['direct message'],
          conversation: {
            name: 'Ada',
            url: `${SITE}/#narrow/dm/${ids.Ada},${ids.Ben}/near/${first}`,
            user_ids: [ids.Ada, ids.Ben],
          },
          shows_content: true,
        },
      ]);
      const { id, content, rendered_content, sender_full_name } = one?.message ?? assert.fail();
      assert.deepEqual(
        [id, content, rendered_content, sender_full_name],
        [first, 'Are you **there**?', '<p>Are you <strong>there</strong>?</p>', 'Ada'],
      );
      all.length = 0;
      await as('Ben').userTopics.set({ stream_id: channel, topic: 'tea', visibility_policy: 3 });
      await as('Ben').settings.edit({ message_content_in_email_notifications: false });
      await say('Ada', channel, 'tea', '@**Ben** tea?');
      await wait();
      await subscription.caughtUp();
      assert.deepEqual(
        all.map(({ reasons, conversation, shows_content }) => [reasons, conversation.name, shows_content]),
        [[['mention', 'followed topic'], '#support > tea', false]],
      );
      assert.deepEqual([all[0]?.conversation.channel_id, all[0]?.conversation.topic], [channel, 'tea']);
      assert.deepEqual([place.mailed(), place.failures], [[], []]);
    });

    test('a program gets each message at once by the settings of push notifications', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd', 'Dee'], {
        notifications: { program: ['push'] },
      });
      const { chat, as, ids, direct, say, arrives, reads } = place;
      const channel = await place.channel('general', ['Ada', 'Ben', 'Cyd', 'Dee']);
      await chat.runDue();
      const { all, texts } = await heard(chat, { way: 'push' });
      await arrives('Ben');
      await direct('Ada', 'Ben', 'online');
      await as('Cyd').settings.edit({ enable_offline_push_notifications: false });
      await direct('Ada', 'Cyd', 'not wanted');
      await as('Dee').settings.edit({ enable_stream_push_notifications: true });
      await as('Cyd').subscriptions.updateProperties({
        subscription_data: [{ stream_id: channel, property: 'push_notifications', value: true }],
      });
      await say('Ada', channel, 'tea', 'for those who chose it');
      await chat.runDue();
      assert.deepEqual(await texts(), [
        ['Ben', 'online'],
        ['Cyd', 'for those who chose it'],
        ['Dee', 'for those who chose it'],
      ]);
      // Reading, muting and deleting end what was decided and not delivered.
      let fail = true;
      const later = await chat.on(
        'notification',
        (one) => {
          if (fail) throw new Error('not yet');
          all.push(one);
        },
        { way: 'push', cursor: 'sms' },
      );
      await direct('Ada', 'Ben', 'first');
      await chat.runDue();
      const read = await direct('Ada', 'Dee', 'read');
      await chat.runDue();
      await later.stop();
      await reads('Dee', read);
      await as('Ada').users.deactivate({ user_id: ids.Ben as number });
      fail = false;
      all.length = 0;
      const again = await chat.on('notification', (one) => void all.push(one), { way: 'push', cursor: 'sms' });
      await again.caughtUp();
      assert.deepEqual(all, []);
    });

    test('two workers pass on each notification once and in order, and a cursor continues in another process', async (t) => {
      const place = await openMailPlace(t, engine, ['Ben', 'Cyd'], {
        notifications: { program: ['email', 'push'] },
      });
      const { chat, direct, clock, mailed, as } = place;
      const other = await place.another();
      const events: string[] = [];
      await chat.on('event', ({ event }) => void events.push(event.type));
      const queue = await as('Ben').register({ fetch_event_types: [] });
      const one = await heard(chat, { cursor: 'mine' });
      await one.subscription.caughtUp();
      const push = await heard(other, { way: 'push' });
      for (let n = 0; n < 3; n++) for (const to of ['Ben', 'Cyd']) await direct('Ada', to, `${to} ${n}`);
      for (const seconds of [0, PERIOD_SECONDS, 0]) {
        clock.advance({ seconds });
        await Promise.all([chat.runDue(), other.runDue()]);
      }
      const byUser = (shown: string[][]) => shown.sort((a, b) => (a.join() < b.join() ? -1 : 1));
      assert.deepEqual(byUser(await one.texts()), [
        ['Ben', 'Ben 0', 'Ben 1', 'Ben 2'],
        ['Cyd', 'Cyd 0', 'Cyd 1', 'Cyd 2'],
      ]);
      assert.equal((await push.texts()).length, 6);
      assert.equal(mailed().length, 2, 'the e-mails go out too');
      await one.subscription.stop();
      await direct('Ada', 'Ben', 'while none listens');
      await place.wait();
      const two = await heard(other, { cursor: 'mine' });
      assert.deepEqual(await two.texts(), [['Ben', 'while none listens']]);
      // Neither listeners to events nor queues get the decisions.
      const { events: got } = await as('Ben').events.list({
        ...{ queue_id: queue.queue_id as string, last_event_id: -1, dont_block: true },
      });
      const types = [...events, ...got.map(({ type }) => type)].filter((type) => String(type).includes('parlance'));
      assert.deepEqual([types, place.failures], [[], []]);
    });

    test('a listener to notifications that the chat does not announce is refused', async (t) => {
      const { chat } = await openMailPlace(t, engine, [], { notifications: { program: ['push'] } });
      await assert.rejects(
        chat.on('notification', () => undefined),
        /program: \['email'\]/,
      );
    });
  });
}
