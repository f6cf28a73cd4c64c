import * as v from 'valibot';
import { BadRequest, DoesNotExist } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { empty, text } from '../../../kernel/schemas.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import { emitCustomEmoji } from './events.ts';

export const deactivateCustomEmoji = defineOperation({
  name: 'customEmoji.deactivate',
  http: 'DELETE /realm/emoji/{emoji_name}',
  summary: "Deactivate one of the organization's own emoji",
  description:
    'Its name is free again. Messages and reactions that have it keep it. For administrators and whoever added it.',
  example: { emoji_name: 'gruel' },
  access: 'user',
  effect: 'write',
  audited: true,
  params: v.object({ emoji_name: text(100) }),
  result: empty,
  errors: [BadRequest, DoesNotExist],
  async run(context, { emoji_name }) {
    const { tx, actor } = context;
    const emoji = await tx.customEmoji.byName(emoji_name);
    if (!emoji) throw new DoesNotExist(`This organization has no emoji named "${emoji_name}".`);
    if (!isAdministrator(actor) && emoji.author_id !== actor.id) {
      throw new BadRequest('Only administrators and whoever added an emoji can deactivate it.');
    }
    await tx.customEmoji.deactivate(emoji.id);
    await emitCustomEmoji(context);
    return {};
  },
});
