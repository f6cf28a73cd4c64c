import { BadRequest, DoesNotExist } from '../../../base/errors.ts';
import { text } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { emitCustomEmoji } from './custom-emoji.ts';

export const deactivateCustomEmoji = defineOperation({
  name: 'customEmoji.deactivate',
  http: 'DELETE /realm/emoji/{emoji_name}',
  summary: 'Deactivate a custom emoji',
  description: 'For administrators and the user who added it. Messages keep it. Its name can be used again.',
  example: { emoji_name: 'gruel' },
  access: 'user',
  effect: 'write',
  audited: true,
  params: { emoji_name: text(100) },
  errors: [DoesNotExist],
  async run(context, { emoji_name }) {
    const { tx, actor } = context;
    const emoji = await tx.customEmoji.byName(emoji_name);
    if (!emoji) throw new DoesNotExist(`This organization has no custom emoji named "${emoji_name}".`);
    if (!isAdministrator(actor) && emoji.author_id !== actor.id) {
      throw new BadRequest('Only administrators and the user who added the emoji can deactivate it.');
    }
    await tx.customEmoji.deactivate(emoji.id);
    await emitCustomEmoji(context);
  },
});
