import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { storedAt } from '../../../lib/domains/uploads/stored-file.ts';
import { transportOf } from '../../../lib/internal.ts';
import { testOn } from '../../support/engines.ts';
import { bothEngines, type WorldEngine } from '../../world/copies.ts';
import { png } from '../../world/pictures.ts';
import { twoProcesses } from '../../world/processes.ts';
import { received, watch } from '../../world/run-cases.ts';
import { newestId, posted, uploaded } from '../../world/uploads.ts';
import type { World } from '../../world/world.ts';

async function worldOf(t: TestContext, engine: WorldEngine): Promise<World> {
  const world = await engine.world();
  t.after(() => world.close());
  return world;
}

const names = async ({ as }: World, user: 'hamlet' | 'cordelia' = 'hamlet') =>
  (await as(user).uploads.list()).attachments.map(({ name }) => name);

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`links from messages to files, on ${engine.name}`, () => {
    test('the owner of a file gets an event for each change of the messages that link to it', async (t) => {
      const world = await worldOf(t, engine);
      const { url, message_id } = await posted(world, 'hamlet', 'public');
      const queues = await watch(world, ['hamlet', 'cordelia']);
      const { public: to } = world.channels;
      const content = `Look: ${url} and [again](${url})`;
      const { id } = await world.as('cordelia').messages.send({ type: 'channel', to, topic: 'x', content });
      await world.as('cordelia').messages.edit({ message_id: id, content: 'Never mind' });
      await world.as('owner').messages.delete({ message_id });
      const events = await received(world, 'hamlet', queues.get('hamlet') as string);
      const told = events.filter(({ type }) => type === 'attachment') as unknown as {
        op: string;
        attachment: { messages: { id: number }[] };
        upload_space_used: number;
      }[];
      assert.deepEqual(
        told.map(({ op, attachment, upload_space_used }) => [
          op,
          attachment.messages.map((message) => message.id),
          upload_space_used,
        ]),
        [
          ['update', [id, message_id], 5],
          ['update', [message_id], 5],
          ['update', [], 5],
        ],
      );
      const others = await received(world, 'cordelia', queues.get('cordelia') as string);
      assert.ok(others.every(({ type }) => type !== 'attachment'));
    });

    test("an edit returns in detached_uploads the author's files that no message links to", async (t) => {
      const world = await worldOf(t, engine);
      const [one, two] = [await uploaded(world.as('hamlet'), 'one'), await uploaded(world.as('hamlet'), 'two')];
      const { public: to } = world.channels;
      const send = (content: string) => world.as('hamlet').messages.send({ type: 'channel', to, topic: 'x', content });
      const { id: message_id } = await send(`[1](${one}) [2](${two})`);
      await send(`[2](${two})`);
      const { detached_uploads } = await world.as('hamlet').messages.edit({ message_id, content: 'Gone' });
      assert.deepEqual(
        detached_uploads.map(({ name, messages }) => [name, messages]),
        [['one', []]],
      );
    });

    test('a file without links is deleted after five weeks, a linked file stays', async (t) => {
      const world = await worldOf(t, engine);
      const { message_id } = await posted(world, 'hamlet', 'public', 'linked.txt');
      await uploaded(world.as('hamlet'), 'loose.txt');
      world.clock.advance({ days: 34 });
      await world.chat.runDue();
      assert.deepEqual(await names(world), ['loose.txt', 'linked.txt']);
      world.clock.advance({ days: 1, seconds: -5 });
      const queues = await watch(world, ['hamlet']);
      world.clock.advance({ seconds: 10 });
      await world.chat.runDue();
      assert.deepEqual(await names(world), ['linked.txt']);
      const [removed] = await received(world, 'hamlet', queues.get('hamlet') as string);
      assert.deepEqual([removed?.type, removed?.op, removed?.upload_space_used], ['attachment', 'remove', 5]);
      await world.as('owner').messages.delete({ message_id });
      world.clock.advance({ days: 34 });
      await world.chat.runDue();
      assert.deepEqual(await names(world), ['linked.txt']);
      world.clock.advance({ days: 2 });
      await world.chat.runDue();
      assert.deepEqual(await names(world), []);
      assert.equal(await world.storage.read((tx) => tx.uploads.spaceUsed()), 0);
    });

    test('drafts and scheduled messages of the owner keep a file until they are gone', async (t) => {
      const world = await worldOf(t, engine);
      const hamlet = world.as('hamlet');
      const [drafted, scheduled] = [await uploaded(hamlet, 'drafted'), await uploaded(hamlet, 'scheduled')];
      const others = await uploaded(hamlet, 'of others');
      const draft = (content: string) => ({ type: '' as const, to: [], topic: '', content });
      const { ids } = await hamlet.drafts.create({ drafts: [draft(`[a](${drafted})`)] });
      await world.as('cordelia').drafts.create({ drafts: [draft(`[a](${others})`)] });
      await hamlet.scheduledMessages.create({
        type: 'channel',
        to: world.channels.public,
        topic: 'x',
        content: `[a](${scheduled})`,
        scheduled_delivery_timestamp: Math.floor(world.clock.now() / 1000) + 100 * 86_400,
      });
      world.clock.advance({ days: 36 });
      await world.chat.runDue();
      assert.deepEqual(await names(world), ['scheduled', 'drafted']);
      await hamlet.drafts.remove({ draft_id: ids[0] as number });
      world.clock.advance({ days: 2 });
      await world.chat.runDue();
      assert.deepEqual(await names(world), ['scheduled']);
    });

    test('an incomplete file is not listed and leaves nothing stored', async (t) => {
      const world = await worldOf(t, engine);
      const broken = async function* () {
        yield Buffer.from('To be');
        throw new Error('the disk of the sender failed');
      };
      await assert.rejects(
        world.as('hamlet').uploads.send({ file: { name: 'a', content: broken() } }),
        /the disk of the sender failed/,
      );
      assert.equal(await world.storage.read((tx) => tx.uploads.nextCollection()), undefined);
      const upload = {
        owner_id: world.users.hamlet,
        file_key: `1/a/${'x'.repeat(24)}`,
        file_name: 'a',
        name: 'a',
        content_type: 'text/plain',
        created_ms: 0,
        collect_ms: world.clock.now() + 1_000,
      };
      await world.storage.write((tx) => tx.uploads.create(upload));
      assert.deepEqual(await names(world), []);
      const queues = await watch(world, ['hamlet']);
      world.clock.advance({ seconds: 2 });
      await world.chat.runDue();
      assert.equal(await world.storage.read((tx) => tx.uploads.byKey(upload.file_key)), undefined);
      assert.deepEqual(await received(world, 'hamlet', queues.get('hamlet') as string), []);
    });

    test('deleting a picture deletes its thumbnails', async (t) => {
      const world = await worldOf(t, engine);
      const file = new File([png], 'tiny.png', { type: 'image/png' });
      const { url } = await world.as('hamlet').uploads.send({ file });
      const [stored] = await world.storage.read((tx) => tx.uploads.ofOwner(world.users.hamlet, 99, 1));
      assert.ok(stored && stored.width !== null);
      const small = await transportOf(world.chat).openUpload(
        { userId: world.users.hamlet, client: 'test' },
        url.replace('/user_uploads/', ''),
        { thumbnail: '840x560.webp' },
      );
      assert.equal((await (await small.read()).toArray())[0].subarray(8, 12).toString(), 'WEBP');
      await world.as('hamlet').uploads.remove({ attachment_id: await newestId(world, 'hamlet') });
      await world.chat.runDue();
      for (const part of ['file', '840x560.webp']) {
        assert.equal(await world.files.size(storedAt(stored, part)), undefined, part);
      }
      assert.deepEqual(world.failures, []);
    });

    test('concurrent uploads in two processes do not exceed the quota', async (t) => {
      const quota = { uploadQuotaMebibytes: 1 };
      const worlds = await twoProcesses(t, engine, [quota, quota]);
      const file = { name: 'a', content: Buffer.alloc(300_000) };
      const sent = await Promise.allSettled(
        Array.from({ length: 8 }, (_, at) => (worlds[at % 2] as World).as('hamlet').uploads.send({ file })),
      );
      const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      assert.deepEqual(refused, Array(5).fill('REALM_UPLOAD_QUOTA'));
      const [{ attachments, upload_space_used }] = [await (worlds[0] as World).as('hamlet').uploads.list()];
      assert.deepEqual([attachments.length, upload_space_used], [3, 900_000]);
    });

    test('G2: concurrent resumable uploads in two processes do not exceed the quota', async (t) => {
      const quota = { uploadQuotaMebibytes: 1 };
      const worlds = await twoProcesses(t, engine, [quota, quota]);
      const begun = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => {
          const { chat, users } = worlds[at % 2] as World;
          const caller = { userId: users.hamlet, client: 'test' };
          return transportOf(chat).resumableUploads.create(caller, { name: 'a', size: 300_000 });
        }),
      );
      assert.equal(begun.filter(({ status }) => status === 'fulfilled').length, 3);
      const file = new File([Buffer.alloc(200_000)], 'b');
      const sent = worlds.map(({ as }) => as('hamlet').uploads.send({ file }));
      for (const one of await Promise.allSettled(sent)) assert.equal(one.status, 'rejected');
    });
  });
}
