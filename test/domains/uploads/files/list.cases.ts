import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { newestId, posted, uploaded } from '../../../world/uploads.ts';

export const listUploadsCases = cases('uploads.list', [
  {
    name: 'a new user has an empty list of files',
    as: 'hamlet',
    call: ['uploads.list'],
    returns: { attachments: [], upload_space_used: 0, found_oldest: true },
  },
  {
    name: "the list has the caller's files, newest first, with their messages and the space used by all users",
    as: 'hamlet',
    given: async (world) => {
      await uploaded(world.as('cordelia'), 'hers.txt');
      const { message_id } = await posted(world, 'hamlet', 'public', 'first.txt');
      world.kept.message = message_id;
      await uploaded(world.as('hamlet'), 'second.txt');
    },
    call: ['uploads.list'],
    returns: ({ kept }) => ({
      attachments: [
        { name: 'second.txt', size: 5, messages: [] },
        { name: 'first.txt', messages: [{ id: kept.message, date_sent: Number.isInteger }] },
      ],
      upload_space_used: 15,
      found_oldest: true,
    }),
  },
  {
    name: 'older files are listed before a given file',
    as: 'hamlet',
    given: async (world) => {
      await uploaded(world.as('hamlet'), 'first.txt');
      await uploaded(world.as('hamlet'), 'second.txt');
      world.kept.newest = await newestId(world, 'hamlet');
    },
    call: ['uploads.list', ({ kept }) => ({ before_id: kept.newest })],
    returns: { attachments: [{ name: 'first.txt' }] },
  },
  {
    name: 'a file that a hundred messages link to is listed with the newest of them',
    as: 'hamlet',
    given: async ({ as, channels }) => {
      const url = await uploaded(as('hamlet'));
      for (let at = 0; at < 103; at++) {
        await as('hamlet').messages.send({ type: 'channel', to: channels.public, topic: 'x', content: `[a](${url})` });
      }
    },
    call: ['uploads.list'],
    state: async (_, { attachments: [{ messages }] }) => {
      const ids = messages.map(({ id }: { id: number }) => id);
      assert.equal(ids.length, 100);
      assert.deepEqual(
        ids,
        [...ids].sort((one, other) => other - one),
      );
    },
  },
  {
    name: 'at most 1,000 files are listed, and found_oldest is false if there are more',
    as: 'hamlet',
    given: ({ storage, users }) =>
      storage.write(async (tx) => {
        for (let at = 0; at <= 1_000; at++) {
          const id = await tx.uploads.create({
            owner_id: users.hamlet,
            file_key: `1/a/${String(at).padStart(24, '0')}`,
            file_name: 'a.txt',
            name: 'a.txt',
            content_type: 'text/plain',
            created_ms: 1_000,
            collect_ms: 1_000,
          });
          await tx.uploads.complete(id, { size: 1, width: null, height: null, frames: null, collect_ms: null });
        }
      }),
    call: ['uploads.list'],
    returns: {
      attachments: ({ length }: unknown[]) => length === 1_000,
      upload_space_used: 1_001,
      found_oldest: false,
    },
  },
]);
