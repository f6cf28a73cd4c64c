import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { testChat } from '../../lib/testing/testing.ts';
import { engines, testOn } from '../support/engines.ts';

/** One name in two spellings, which look the same. */
const NFC = 'Caf\u00e9';
const NFD = 'CAFE\u0301';
/** Hangul filler, half-width filler, blank Braille pattern, zero width space, and a soft hyphen with spaces. */
const BLANK = ['\u3164', '\uffa0\u115f\u1160', '\u2800', '\u200b', ' \u00ad \u2003', '\ufe0f'];

const refused = (call: Promise<unknown>, code = 'BAD_REQUEST') => assert.rejects(call, { code });

for (const engine of engines) {
  const test = testOn(engine);

  describe(`names on ${engine.name}`, () => {
    async function open(t: TestContext) {
      const place = await engine.open();
      const made = await testChat({ storage: place.storage });
      t.after(async () => {
        await made.close();
        await place.dispose();
      });
      return { ...made, owner: made.people.ada };
    }

    test('a channel, group, topic or mention in NFD is the one that is stored in NFC, and the reverse', async (t) => {
      const { owner, chat } = await open(t);
      const { id } = await owner.channels.create({ name: NFD.toLowerCase(), subscribers: [] });
      assert.equal((await owner.channels.getId({ stream: NFC })).stream_id, id);
      await refused(owner.channels.create({ name: NFC, subscribers: [] }), 'CHANNEL_ALREADY_EXISTS');
      await owner.subscriptions.add({ subscriptions: [{ name: NFC }, { name: NFD }] });
      const { streams } = await owner.channels.list();
      assert.deepEqual(
        streams.map(({ name }) => name).filter((name) => /^caf/iu.test(name)),
        [NFC.toLowerCase()],
      );

      const { group_id } = await owner.userGroups.create({ name: NFC, description: '', members: [] });
      await refused(owner.userGroups.create({ name: NFD, description: '', members: [] }));
      await refused(owner.channelFolders.create({ name: NFC }).then(() => owner.channelFolders.create({ name: NFD })));
      await refused(
        owner.profileFields
          .create({ name: NFC, field_type: 1 })
          .then(() => owner.profileFields.create({ name: NFD, field_type: 1 })),
      );

      for (const [topic, to] of [
        [NFC, NFD],
        [NFD, NFC],
      ] as const)
        await owner.messages.send({ type: 'channel', to, topic, content: `In ${topic}` });
      const { topics } = await owner.topics.list({ stream_id: id });
      assert.deepEqual(
        topics.map(({ name }) => name),
        [NFC, 'channel events'],
      );
      const narrow = [
        ['channel', NFD],
        ['topic', NFD],
      ].map(([operator = '', operand = '']) => ({ operator, operand }));
      const { messages } = await owner.messages.list({
        narrow,
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
        apply_markdown: false,
      });
      assert.deepEqual(
        messages.map(({ content }) => content),
        [`In ${NFC}`, `In ${NFD}`],
        'content stays as sent',
      );
      await owner.userTopics.set({ stream_id: id, topic: NFD, visibility_policy: 3 });
      assert.deepEqual(
        (await owner.userTopics.list()).user_topics.map(({ topic_name }) => topic_name),
        [NFC],
      );

      const { user_id } = await owner.users.create({ email: 'zoe@example.com', full_name: 'Zo\u0065\u0308 B' });
      assert.equal((await owner.users.get({ user_id })).user.full_name, 'Zo\u00eb B');
      const { rendered } = await owner.messages.render({
        content: `@**Zoe\u0308 B** @**Zoe\u0308 B|${user_id}** @*${NFD}* #**cafe\u0301** #**cafe\u0301>${NFD}**`,
      });
      const targets = [...rendered.matchAll(/data-(?:user|user-group|stream)-id="(\d+)"/g)].map(([, target]) =>
        Number(target),
      );
      assert.deepEqual(targets, [user_id, user_id, group_id, id, id]);

      const lists = {
        channels: [{ external_id: 'c', name: `${NFD}2` }],
        groups: [{ external_id: 'g', name: `${NFD}2` }],
        users: [
          {
            external_id: 'u',
            name: 'Zoe\u0308 C',
            channels: [`${NFC}2`],
            groups: [`${NFC}2`],
            profile: { [NFD]: NFD },
          },
        ],
      };
      const first = await chat.sync(lists);
      assert.deepEqual([first.counts.created, first.counts.failed], [3, 0]);
      assert.equal((await chat.sync(lists)).changes.length, 0, 'a second sync changes nothing');
    });

    test('a name of characters that show nothing is refused as empty', async (t) => {
      const { owner } = await open(t);
      const { id } = await owner.channels.create({ name: 'visible', subscribers: [] });
      for (const name of BLANK) {
        await refused(owner.channels.create({ name, subscribers: [] }));
        await refused(owner.channels.edit({ stream_id: id, new_name: name }));
        await refused(owner.subscriptions.add({ subscriptions: [{ name }] }));
        await refused(owner.userGroups.create({ name, description: '', members: [] }));
        await refused(owner.channelFolders.create({ name }));
        await refused(owner.profileFields.create({ name, field_type: 1 }));
        await refused(owner.organization.edit({ name }));
        await refused(owner.messages.send({ type: 'channel', to: id, topic: name.repeat(2), content: 'x' }));
        await refused(owner.users.create({ email: 'blank@example.com', full_name: `${name}${name}` }));
        await refused(owner.savedSnippets.create({ title: name, content: 'x' }));
      }
      const { stream_id } = await owner.channels.getId({ stream: 'visible' });
      await owner.messages.send({ type: 'channel', to: stream_id, topic: '한글 ❤️', content: 'x' });
    });
  });
}
