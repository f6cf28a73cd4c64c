import { randomBytes } from 'node:crypto';
import { BadImage, BadRequest } from '../../../base/errors.ts';
import { describe, file, repeatable, text } from '../../../base/schemas.ts';
import { emojiByName } from '../../../markdown/inline/emoji.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { emitCustomEmoji, storePicture } from './custom-emoji.ts';

const MAX_NAME = 100;
const MAX_FILE_MEBIBYTES = 5;
/** Includes deactivated emoji. Every client loads all of them. */
const MAX_EMOJI = 5_000;

export const uploadCustomEmoji = defineOperation({
  name: 'customEmoji.upload',
  http: 'POST /realm/emoji/{emoji_name}',
  summary: 'Upload a custom emoji',
  description: 'Scales to 64x64 pixels. Keeps animations. Only administrators can use names of Unicode emoji.',
  example: { emoji_name: 'gruel' },
  access: 'human member',
  effect: 'manual',
  audited: true,
  params: {
    emoji_name: describe(text(MAX_NAME), 'Lowercase letters, digits, hyphens, underscores. Spaces become underscores.'),
    file: describe(file(MAX_FILE_MEBIBYTES), 'PNG, JPEG, GIF, WebP or AVIF.'),
    ...repeatable,
  },
  errors: [BadImage],
  async run(context, { emoji_name, file }) {
    if (context.first) return;
    const name = emoji_name.trim().replaceAll(' ', '_');
    checkName(name);
    // Saves the work of resizing an image that would be refused. The result may change before the write transaction.
    await context.transact('read', (reading) => checkMayAdd(reading, name));
    const picture = await context.services.options.images.emoji(new Uint8Array(await file.arrayBuffer()));
    // Created outside the transaction, which may run more than once.
    const token = randomBytes(16).toString('hex');
    await context.once('write', async (writing) => {
      await checkMayAdd(writing, name);
      const { tx, actor } = writing;
      const addresses = await storePicture(writing, token, picture);
      const id = await tx.customEmoji.create({ name, author_id: actor.id, ...addresses });
      if (id === undefined) throw nameInUse(name);
      await emitCustomEmoji(writing);
      return {};
    });
  },
});

function checkName(name: string): void {
  if (name === '') throw new BadRequest('An emoji needs a name.');
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw new BadRequest('An emoji name can contain only lowercase letters a to z, digits, hyphens and underscores.');
  }
  if (/[_-]$/.test(name)) throw new BadRequest('The name of an emoji must end with a letter or a digit.');
}

async function checkMayAdd(context: AccountContext, name: string): Promise<void> {
  const { tx, actor } = context;
  await context.viewer.check('can_add_custom_emoji_group', 'add emoji to this organization');
  if (await tx.customEmoji.byName(name)) throw nameInUse(name);
  if (emojiByName(name) !== undefined && !isAdministrator(actor)) {
    throw new BadRequest(`"${name}" is a Unicode emoji. Only administrators can replace it.`);
  }
  if ((await tx.customEmoji.count()) >= MAX_EMOJI) {
    throw new BadRequest(`This organization has too many custom emoji (limit: ${MAX_EMOJI}).`);
  }
}

function nameInUse(name: string): BadRequest {
  return new BadRequest(`A custom emoji named "${name}" already exists. Deactivate it first.`);
}
