import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editHistory } from '../../../../lib/domains/messages/listing/show-messages.ts';
import type { Edit } from '../../../../lib/storage/interface/edits.ts';

const nothing: Edit = {
  id: 1,
  message_id: 7,
  conversation_id: 3,
  prev_conversation_id: 3,
  up_to_message_id: null,
  part_of: null,
  editor_id: 5,
  timestamp: 100,
  prev_content: null,
  prev_rendered_content: null,
  prev_topic: null,
  topic: null,
  prev_channel_id: null,
  channel_id: null,
};

test('an edit whose former content was not read is listed without it, and not at all with moves only', () => {
  const edits = [nothing, { ...nothing, id: 2, prev_content: 'a', prev_rendered_content: '<p>a</p>' }];
  const entry = { user_id: 5, timestamp: 100 };
  assert.deepEqual(editHistory(edits, { contents: true }), [
    { ...entry, prev_content: 'a', prev_rendered_content: '<p>a</p>' },
    entry,
  ]);
  assert.deepEqual(editHistory(edits, { contents: false }), []);
});
