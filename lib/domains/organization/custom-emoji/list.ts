import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { customEmojiObject, customEmojiViews } from './custom-emoji.ts';

export const listCustomEmoji = defineOperation({
  name: 'customEmoji.list',
  http: 'GET /realm/emoji',
  summary: 'List custom emoji',
  description: 'By ID. Includes deactivated emoji, because messages and reactions still show them.',
  access: 'user',
  result: v.object({ emoji: v.record(v.string(), customEmojiObject) }),
  async run(context) {
    return { emoji: await customEmojiViews(context) };
  },
});
