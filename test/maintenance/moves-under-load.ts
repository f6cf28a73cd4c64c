import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { check, localFiles, moveOrganization, openTenants, StorageError } from '../../lib/index.ts';
import { migrations } from '../../lib/storage/migrations/index.ts';
import type { places } from '../storage/migration-places.ts';
import { testOn } from '../support/engines.ts';
import { found, OWNER, PLACES, quiet, withBoth } from './moves.ts';

type PlaceOf = (typeof places)[number];

/** A move while others write, read, and upload. */
export function testMoveUnderLoad(from: PlaceOf, to: PlaceOf): void {
  testOn({ skip: from.skip ?? to.skip })(
    `a move under load from ${from.name} to ${to.name} loses and repeats no message, change, file or event`,
    async (t) => {
      const both = [await from.make(), await to.make()] as const;
      t.after(() => Promise.all(both.map((place) => place.remove())));
      const folder = await mkdtemp(join(tmpdir(), 'parlance-'));
      t.after(() => rm(folder, { recursive: true, force: true }));
      const [here, there] = [localFiles(join(folder, 'here')), localFiles(join(folder, 'there'))];
      await found(both[0]);
      let isMoved = false;
      const tenants = openTenants({
        storage: () => both[isMoved ? 1 : 0].storage(migrations),
        chatOptions: () => ({ logger: quiet, files: isMoved ? there : here }),
        logger: quiet,
      });
      t.after(() => tenants.close());
      /** Repeats calls that the move refuses, as a client does with a 503. */
      const insist = async <T>(work: Parameters<typeof tenants.with<T>>[1]): Promise<T> => {
        for (;;) {
          try {
            return await tenants.with('acme', work);
          } catch (error) {
            if (!(error instanceof StorageError) || !['moved', 'busy', 'closed'].includes(error.reason)) throw error;
            await delay(5);
          }
        }
      };
      const queue = await insist((chat) => chat.as(OWNER.email).register({ event_types: ['message'] }));
      const sent: number[] = [];
      const edited = new Map<number, string>();
      const deleted = new Set<number>();
      const uploads: string[] = [];
      let isOver = false;
      let isWritten = false;
      const writer = async (name: string) => {
        for (let n = 0; !isOver; n++) {
          const content = `${name} says ${n}`;
          const { id } = await insist((chat) =>
            chat.as(OWNER.email).messages.send({ type: 'channel', to: 'general', topic: `topic ${n % 3}`, content }),
          );
          sent.push(id);
          // The move runs in the same process.
          await delay(20);
          if (n % 4 === 1) {
            const text = `${name} corrected${n} it`;
            await insist((chat) => chat.as(OWNER.email).messages.edit({ message_id: id, content: text }));
            edited.set(id, text);
          }
          if (n % 4 === 2) {
            await insist((chat) => chat.as(OWNER.email).messages.delete({ message_id: id }));
            deleted.add(id);
          }
          if (n % 16 === 3) {
            const file = new File([content], 'a.txt');
            const { url } = await insist((chat) => chat.as(OWNER.email).uploads.send({ file }));
            uploads.push(url);
            await insist((chat) => chat.as(OWNER.email).messages.addReaction({ message_id: id, emoji_name: 'tada' }));
          }
        }
      };
      const received: number[] = [];
      const reader = async () => {
        let last = queue.last_event_id;
        while (!isWritten || received.length < sent.length) {
          const { events } = await insist((chat) =>
            chat.as(OWNER.email).events.list({ queue_id: queue.queue_id, last_event_id: last, dont_block: isWritten }),
          );
          for (const event of events) {
            last = event.id;
            if (event.type === 'message') received.push((event as unknown as { message: { id: number } }).message.id);
          }
        }
      };
      const writing = Promise.all([writer('one'), writer('two'), writer('three')]);
      const reading = reader();
      await delay(300);
      const { changes } = await withBoth(both, (source, target) =>
        moveOrganization(source, target, {
          places: PLACES,
          files: { from: here, to: there },
          onSwitch: async () => {
            isMoved = true;
          },
        }),
      );
      assert.ok(changes > 0);
      const countAtSwitch = sent.length;
      await delay(500);
      isOver = true;
      await writing;
      isWritten = true;
      // The reader may have all messages, and wait for another one.
      const another = { type: 'channel', to: 'general', topic: 'the end', content: 'one more' } as const;
      await insist((chat) => chat.as(OWNER.email).messages.send(another));
      await reading;
      assert.ok(sent.length > countAtSwitch, 'writes go on in the target');
      assert.deepEqual(
        received.slice(0, sent.length),
        [...sent].sort((a, b) => a - b),
        'each event once, in order',
      );

      await tenants.with('acme', async (chat) => {
        const session = chat.as(OWNER.email);
        const stored = new Map<number, string>();
        for (let anchor = 0, isLast = false; !isLast; ) {
          const page = await session.messages.list({
            anchor,
            num_before: 0,
            num_after: 1000,
            apply_markdown: false,
            narrow: [{ operator: 'channel', operand: 'general' }],
          });
          for (const { id, content } of page.messages) stored.set(id, content);
          anchor = (page.messages.at(-1)?.id ?? 0) + 1;
          isLast = page.found_newest !== false;
        }
        const kept = sent.filter((id) => !deleted.has(id));
        assert.deepEqual(
          kept.filter((id) => !stored.has(id)),
          [],
        );
        assert.deepEqual(
          [...deleted].filter((id) => stored.has(id)),
          [],
        );
        for (const [id, text] of edited) assert.equal(stored.get(id), text);
        for (const [, text] of [...edited].slice(-5)) {
          const [, , word = ''] = /(\w+) (\w+) it/.exec(text) ?? [];
          const { messages } = await session.messages.list({
            anchor: 'newest',
            num_before: 10,
            num_after: 0,
            narrow: [{ operator: 'search', operand: word }],
          });
          assert.ok(messages.length > 0, `a search finds ${word}`);
        }
        for (const url of uploads) {
          let size = 0;
          for await (const piece of (await session.download(url)).content) size += piece.length;
          assert.ok(size > 0);
        }
      });
      assert.deepEqual((await withBoth(both, (_, target) => check(target, { files: there }))).findings, []);
    },
  );
}
