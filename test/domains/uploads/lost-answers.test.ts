import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { AppendableStore } from '../../../lib/adapters/files.ts';
import type { UploadProgress } from '../../../lib/chat/resumable-uploads.ts';
import { storedAt } from '../../../lib/domains/uploads/stored-file.ts';
import { transportOf } from '../../../lib/internal.ts';
import { readPathId } from '../../../lib/rules/uploads.ts';
import { StorageError } from '../../../lib/storage/storage-error.ts';
import { testOn } from '../../support/engines.ts';
import { bothEngines } from '../../world/copies.ts';
import { beforeTransaction, twoProcesses } from '../../world/processes.ts';
import { temporary } from '../../world/uploads.ts';
import type { World } from '../../world/world.ts';

const sizeOf = ({ files }: World, url: string) => {
  const { filename } = temporary(url);
  const { file_key = '' } = readPathId(`1/${filename}`) ?? {};
  return files.size(storedAt({ file_key }));
};

async function* toBe() {
  yield Buffer.from('To be');
}

/** Commits the second of two writes, and then fails as if the connection broke before the response. */
function loseSecondAnswer({ storage }: World): void {
  const { write } = storage;
  let writes = 0;
  storage.write = async (...given) => {
    const value = await write.apply(storage, given);
    if (++writes < 2) return value as never;
    storage.write = write;
    throw new StorageError('The connection broke.', 'unreachable');
  };
}

for (const engine of bothEngines) {
  const test = testOn(engine);
  describe(`uploads with a lost response, on ${engine.name}`, () => {
    test('a file stays if the response of the database to its completion is lost', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const send = () =>
        world.as('hamlet').uploads.send({ file: new File(['To be'], 'plan.txt'), idempotency_key: 'one' });
      loseSecondAnswer(world);
      await assert.rejects(send(), { reason: 'unreachable' });
      const { url } = await send();
      await world.chat.runDue();
      assert.equal(await sizeOf(world, url), 5);
      const { attachments } = await world.as('hamlet').uploads.list();
      assert.deepEqual(
        attachments.map(({ name }) => name),
        ['plan.txt'],
      );
    });

    test('a refused file is removed with its bytes', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const { storage, users, as, chat } = world;
      const keys: string[] = [];
      const { write } = world.files;
      world.files.write = (key, content) => {
        keys.push(key);
        return write.call(world.files, key, content);
      };
      beforeTransaction(world, 'write', () => as('owner').users.deactivate({ user_id: users.hamlet }), { skipping: 1 });
      await assert.rejects(as('hamlet').uploads.send({ file: new File(['To be'], 'plan.txt') }), {
        code: 'UNAUTHORIZED',
      });
      await chat.runDue();
      assert.equal(keys.length, 1);
      assert.equal(await world.files.size(keys[0] as string), undefined);
      assert.equal(await storage.read((tx) => tx.uploads.byKey((keys[0] as string).replace(/\/file$/, ''))), undefined);
    });

    test('a file that arrives after the worker has removed its row is removed with its bytes', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const { files, as, chat, clock } = world;
      const keys: string[] = [];
      const { write } = files;
      files.write = async (key, content) => {
        keys.push(key);
        clock.advance({ minutes: 2 * 24 * 60 });
        await chat.runDue();
        await write.call(files, key, content);
      };
      await assert.rejects(as('hamlet').uploads.send({ file: new File(['To be'], 'plan.txt') }), {
        message: /took too long/,
      });
      assert.equal(keys.length, 1);
      assert.equal(await files.size(keys[0] as string), undefined);
    });

    test('a repeated start of a resumable upload waits until the first one has created the file', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const { resumableUploads } = transportOf(world.chat);
      const caller = { userId: world.users.hamlet, client: 'test' };
      const start = () =>
        resumableUploads.create(caller, { name: 'plan.txt', type: 'text/plain', size: 5, idempotency_key: 'one' });
      const appendable = world.files.appendable as AppendableStore;
      const { begin } = appendable;
      let repeated: ReturnType<typeof start> | undefined;
      appendable.begin = async (key) => {
        repeated ??= start();
        repeated.catch(() => undefined);
        // The repeated call finds the upload. Its file does not exist yet.
        await setTimeout(50);
        await begin.call(appendable, key);
      };
      const { pathId } = await start();
      const { offset, ...other } = (await repeated) as UploadProgress;
      assert.deepEqual([other.pathId, offset], [pathId, 0]);
    });

    test('a resumable upload continues if the process dies before it creates the file', async (t) => {
      const world = await engine.world();
      t.after(() => world.close());
      const { resumableUploads } = transportOf(world.chat);
      const caller = { userId: world.users.hamlet, client: 'test' };
      const start = () =>
        resumableUploads.create(caller, { name: 'plan.txt', type: 'text/plain', size: 5, idempotency_key: 'one' });
      const appendable = world.files.appendable as AppendableStore;
      const { begin } = appendable;
      appendable.begin = async () => {
        appendable.begin = begin;
        throw new Error('The process dies.');
      };
      await assert.rejects(start(), /The process dies/);
      const { pathId, offset } = await start();
      assert.equal(offset, 0);
      const { sent } = await resumableUploads.append(caller, pathId, { offset, content: toBe() });
      assert.equal(await sizeOf(world, sent?.url ?? ''), 5);
    });

    test('a cancellation that has lost its lease does not delete the file that another process completes', async (t) => {
      const [here, there] = await twoProcesses(t, engine);
      const shared = { files: here.files };
      Object.assign(transportOf(there.chat).engine.options, shared);
      const { resumableUploads: own } = transportOf(here.chat);
      const { resumableUploads: other } = transportOf(there.chat);
      const caller = { userId: here.users.hamlet, client: 'test' };
      const { pathId } = await own.create(caller, { name: 'plan.txt', type: 'text/plain', size: 5 });
      const complete = async () => {
        there.clock.advance({ minutes: 1 });
        const { sent } = await other.append(caller, pathId, { offset: 0, content: toBe() });
        assert.ok(sent);
      };
      beforeTransaction(here, 'write', complete, { skipping: 1 });
      await assert.rejects(own.end(caller, pathId), { message: /already complete/ });
      await here.chat.runDue();
      const { sent } = await own.look(caller, pathId);
      assert.equal(await sizeOf(here, sent?.url ?? ''), 5);
    });
  });
}
