import { commands } from '../operations/metadata.ts';

export const channels = commands('channels', 'Channels and their settings', {
  list: {
    columns: { streams: ['stream_id', 'name', 'subscriber_count', 'invite_only', 'is_archived', 'description'] },
  },
  get: { args: ['stream_id'], examples: ['channels get general'] },
  getId: { args: [{ parameter: 'stream', label: 'NAME' }] },
  create: {
    args: ['name'],
    defaults: { subscribers: [] },
    examples: [
      'channels create general --subscribers ada@example.com,ben@example.com',
      'channels create board --invite-only',
    ],
  },
  edit: {
    args: ['stream_id'],
    examples: [
      'channels edit general --description "News for everybody"',
      'channels edit general --can-send-message-group role:moderators',
    ],
  },
  archive: { args: ['stream_id'], confirm: 'Archive this channel?' },
  subscribers: { args: ['stream_id'] },
});
