import assert from 'node:assert/strict';
import { cases } from '../../../world/case.ts';
import { newestId, posted, uploaded } from '../../../world/uploads.ts';

export const removeUploadCases = cases('uploads.remove', [
  {
    name: 'a file is removed with its bytes, and its owner gets the event; messages keep the link',
    as: 'hamlet',
    given: async (world) => {
      world.kept.message = (await posted(world, 'hamlet', 'public')).message_id;
      world.kept.id = await newestId(world, 'hamlet');
    },
    call: ['uploads.remove', ({ kept }) => ({ attachment_id: kept.id })],
    events: ({ kept }) => ({
      hamlet: [{ type: 'attachment', op: 'remove', attachment: { id: kept.id }, upload_space_used: 0 }],
      cordelia: [],
    }),
    state: async ({ as, kept, chat }) => {
      assert.deepEqual((await as('hamlet').uploads.list()).attachments, []);
      const { message } = await as('cordelia').messages.get({ message_id: kept.message as number });
      const url = /user_uploads[^")]+/.exec(message.content)?.[0] ?? assert.fail();
      await assert.rejects(as('hamlet').download(`/${url}`), { status: 404 });
      await chat.runDue();
    },
  },
  {
    name: 'a file of another user is refused as missing, even to an owner',
    as: 'owner',
    given: async (world) => {
      await uploaded(world.as('hamlet'));
      world.kept.id = await newestId(world, 'hamlet');
    },
    call: ['uploads.remove', ({ kept }) => ({ attachment_id: kept.id })],
    refuses: { code: 'BAD_REQUEST', says: /You have uploaded no file with ID/ },
    state: async ({ as }) => assert.equal((await as('hamlet').uploads.list()).attachments.length, 1),
  },
  {
    name: 'a missing file is refused',
    as: 'hamlet',
    call: ['uploads.remove', { attachment_id: 99 }],
    refuses: { code: 'BAD_REQUEST', says: /You have uploaded no file with ID 99/ },
  },
]);
