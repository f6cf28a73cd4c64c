import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { featureEngines, testOn } from '../../../support/engines.ts';
import { openMailPlace } from './places.ts';

const TEAM = ['Ben', 'Cyd', 'Dee', 'Eve', 'Fay', 'Gus'];

for (const engine of featureEngines) {
  const test = testOn(engine);

  describe(`a day on ${engine.name}`, () => {
    test('people come, go, read, mute and reply, and two processes send exactly the e-mails that must come', async (t) => {
      const place = await openMailPlace(t, engine, TEAM);
      const { chat, clock, as, ids, direct, say, reads, arrives, mailed } = place;
      const other = await place.another();
      const channel = await place.channel('shop', ['Ada', ...TEAM]);
      const room = await place.channel('board', ['Ada', 'Ben'], { invite_only: true });
      /** Lets minutes pass. Those who are at work report it, and both processes work. */
      const minutes = async (count: number, atWork: readonly string[] = []) => {
        for (let n = 0; n < count; n++) {
          for (const name of atWork) await arrives(name);
          await Promise.all([chat.runDue(), other.runDue()]);
          clock.advance({ seconds: 60 });
        }
        await Promise.all([chat.runDue(), other.runDue()]);
      };
      const to = (name: string) => `${name.toLowerCase()}@example.com`;
      // Notices about the new channels.
      await minutes(5);
      mailed();

      // 9:35. Ada and Ben are at work. Ada starts a topic, which she follows, and asks Cyd.
      await minutes(1, ['Ada', 'Ben']);
      await say('Ada', channel, 'rush', 'A customer waits.');
      await say('Ada', channel, 'rush', '@**Cyd**, can you?');
      await direct('Ada', 'Ben', 'Coffee?');
      await minutes(3, ['Ada', 'Ben']);
      assert.deepEqual(mailed(), [[to('Cyd'), '#shop > rush', 'A customer waits.', '@Cyd, can you?']]);

      // Cyd comes, reads and replies: Ada is there, so her followed topic sends nothing.
      await arrives('Cyd');
      await as('Cyd').messages.markTopicRead({ stream_id: channel, topic_name: 'rush' });
      await say('Cyd', channel, 'rush', 'On it.');
      await minutes(3, ['Ada', 'Ben', 'Cyd']);
      assert.deepEqual(mailed(), []);

      // Noon. All go. Cyd writes twice within the period, and a minute after it.
      await minutes(4);
      await say('Cyd', channel, 'rush', 'Done.');
      await minutes(1);
      await say('Cyd', channel, 'rush', 'Really.');
      await minutes(2);
      const late = await say('Cyd', channel, 'rush', 'And paid.');
      await minutes(1);
      assert.deepEqual(mailed(), [[to('Ada'), '#shop > rush', 'Done.', 'Really.']]);
      await reads('Ada', late);
      await minutes(3);
      assert.deepEqual(mailed(), [], 'read in time');

      // Eve mutes Fay, Gus blocks her, Dee wants no e-mail about mentions, and Fay mentions and writes to all of them.
      await as('Eve').mutedUsers.add({ muted_user_id: ids.Fay as number });
      await as('Gus').users.block({ user_id: ids.Fay as number });
      await as('Dee').settings.edit({
        enable_offline_email_notifications: false,
        automatically_follow_topics_where_mentioned: false,
      });
      await say('Fay', channel, 'cake', '@**Eve** @**Gus** @**Dee** @**Ben** cake!');
      await direct('Fay', ['Eve', 'Dee'], 'Secret cake.');
      await minutes(4);
      assert.deepEqual(mailed(), [[to('Ben'), '#shop > cake', '@Eve @Gus @Dee @Ben cake!']]);

      // A topic goes where only Ada and Ben can see it, before the e-mails about it.
      const [first] = [await say('Gus', channel, 'raise', '@**Dee** @**Cyd** @**Ada** a raise?')];
      await as('Ada').messages.edit({
        message_id: first,
        stream_id: room,
        topic: 'raise',
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: false,
      });
      await minutes(4);
      assert.deepEqual(mailed(), [[to('Ada'), '#board > raise', '@Dee @Cyd @Ada a raise?']]);

      // A message is edited: it mentions Eve only now. A bot writes to a person, and a person to the bot.
      const message_id = await say('Ada', channel, 'tea', 'Tea?');
      await minutes(3);
      await as('Ada').messages.edit({ message_id, content: 'Tea, @**Eve**?' });
      const bot = await as('Ada').bots.create({ full_name: 'Clock', short_name: 'clock' });
      await chat.as(bot.user_id).messages.send({ type: 'direct', to: [ids.Gus as number], content: 'Five.' });
      await as('Gus').messages.send({ type: 'direct', to: [bot.user_id], content: 'Thanks' });
      await minutes(4);
      assert.deepEqual(mailed(), [
        [to('Eve'), '#shop > tea', 'Tea, @Eve?'],
        [to('Gus'), 'Clock', 'Five.'],
      ]);

      // Evening. A group conversation, and a message that its sender deletes.
      await direct('Ben', ['Cyd', 'Gus'], 'Tomorrow at 8?');
      const gone = await direct('Ada', 'Fay', 'Oops');
      await minutes(1);
      await as('Ada').messages.delete({ message_id: gone });
      await minutes(3);
      assert.deepEqual(mailed(), [
        [to('Cyd'), 'Ben, Gus', 'Tomorrow at 8?'],
        [to('Gus'), 'Ben, Cyd', 'Tomorrow at 8?'],
      ]);
      await minutes(10);
      assert.deepEqual([mailed(), place.failures], [[], []]);
    });
  });
}
