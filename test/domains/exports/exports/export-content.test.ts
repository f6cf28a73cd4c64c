import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipArchive } from '../../../../lib/import/zip.ts';
import { type Chat, type LocalSession, localFiles, openChat } from '../../../../lib/index.ts';
import { transportOf } from '../../../../lib/internal.ts';
import { ADA, BEN, EVA, open, populated, quiet, scratch } from '../../../maintenance/exports.ts';
import { places } from '../../../storage/migration-places.ts';
import { testOn } from '../../../support/engines.ts';

const [sqlite] = places;
const postgres = places.find(({ name }) => name === 'PostgreSQL');

async function exported(chat: Chat, session: LocalSession, export_type: 1 | 2): Promise<string> {
  await session.exports.create({ export_type });
  await chat.runDue();
  const [newest] = (await session.exports.list()).exports;
  assert.equal(typeof newest?.export_url, 'string', JSON.stringify(newest));
  return newest?.export_url as string;
}

async function textIn(session: LocalSession, url: string, path: string): Promise<string> {
  await writeFile(path, await buffer((await session.download(url)).content));
  const archive = await ZipArchive.open(path);
  const texts: string[] = [];
  for (const name of archive.names)
    for await (const piece of archive.stream(name)) texts.push(Buffer.from(piece).toString());
  archive.close();
  return texts.join('\n');
}

for (const engine of [sqlite, postgres])
  testOn(engine ?? {})(
    `an export over the API on ${engine?.name} has private data only of users who allow it`,
    async (t) => {
      assert.ok(engine);
      const folder = await scratch(t);
      const place = await engine.make();
      const chat = await openChat({ storage: open(place), files: localFiles(join(folder, 'uploads')), logger: quiet });
      t.after(async () => {
        await chat.close();
        await place.remove();
      });
      const { ada: founder, ben, eva, general } = await populated(chat);
      const [ada, asBen, asEva] = [chat.as(ADA.email), chat.as(BEN.email), chat.as(EVA.email)];
      await asEva.settings.edit({ email_address_visibility: 4 });
      await ada.channels.create({ name: 'hidden', subscribers: [eva.user_id], invite_only: true });
      await asEva.messages.send({ type: 'channel', to: 'hidden', topic: 'x', content: 'hidden words of Eva' });
      const { id: moved } = await asBen.messages.send({
        type: 'channel',
        to: 'secret',
        topic: 'past',
        content: 'moved words',
      });
      await asBen.messages.edit({ message_id: moved, content: 'moved words, edited' });
      await ada.messages.edit({ message_id: moved, stream_id: general.id, propagate_mode: 'change_all' });

      // Ben has left the channel before the words come to it.
      const others = { subscribers: [founder.user_id, eva.user_id], invite_only: true };
      const vault = await ada.channels.create({
        ...others,
        name: 'vault',
        subscribers: [founder.user_id, ben.user_id],
      });
      await ada.channels.create({ ...others, name: 'board' });
      const said = (to: string, content: string) => ada.messages.send({ type: 'channel', to, topic: 'x', content });
      const boards = await Promise.all(
        ['words of the board, one', 'words of the board, all'].map((text) => said('board', text)),
      );
      await said('vault', 'vault words for Ben');
      await asBen.subscriptions.remove({ subscriptions: ['vault'] });
      for (const [at, propagate_mode] of (['change_one', 'change_all'] as const).entries())
        await ada.messages.edit({ message_id: boards[at]?.id as number, stream_id: vault.id, propagate_mode });

      const publicUrl = await exported(chat, ada, 1);
      const everybody = await textIn(ada, publicUrl, join(folder, '1.zip'));
      for (const own of ['soup of Eva', 'Hello all, edited', '<script>alert(1)', 'moved words, edited', BEN.email])
        assert.ok(everybody.includes(own), own);
      const secrets = ['secret', 'plans', 'direct words', 'a draft of Ben', 'Best, Ben', 'hidden', 'Zebra', EVA.email];
      for (const each of secrets) assert.ok(!everybody.includes(each), each);

      await asBen.settings.edit({ allow_private_data_export: true });
      const consented = await textIn(ada, await exported(chat, ada, 2), join(folder, '2.zip'));
      for (const own of [
        'the secret plan of Ada',
        'vault words for Ben',
        'direct words to Ben',
        'a draft of Ben',
        'Best, Ben',
        'Zebra',
      ])
        assert.ok(consented.includes(own), own);
      for (const each of ['hidden', 'words of the board', 'direct words to Eva', EVA.email])
        assert.ok(!consented.includes(each), each);

      await ada.users.edit({ user_id: ben.user_id, role: 200 });
      await textIn(asBen, publicUrl, join(folder, '3.zip'));
      await assert.rejects(asEva.download(publicUrl), { status: 404 });
      const { checkLogin, openUpload } = transportOf(chat);
      const { token } = await ada.tokens.create({ ttl_seconds: 600 });
      const path = publicUrl.replace(/^.*\/user_uploads\//, '');
      const withToken = { ...(await checkLogin('token', token)), client: 'test' };
      await assert.rejects(openUpload(withToken, path), { status: 404 });
      await openUpload({ userId: withToken.userId, client: 'test' }, path);

      const { id } = await asBen.exports.create();
      await ada.users.edit({ user_id: ben.user_id, role: 400 });
      await chat.runDue();
      const failed = (await ada.exports.list()).exports.find((each) => each.id === id);
      assert.ok(failed?.failed_timestamp, 'an account that is not an administrator any more gets no export');
      assert.equal(failed.export_url, null);

      const [last] = (await ada.exports.list()).exports.filter(({ export_url }) => export_url === publicUrl);
      await ada.exports.remove({ export_id: last?.id as number });
      await chat.runDue();
      await assert.rejects(ada.download(publicUrl), { status: 404 });
    },
  );
