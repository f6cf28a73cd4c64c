import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { isGranted } from '../../../access/membership.ts';
import type { AccountContext, WriteContext } from '../../../kernel/context.ts';
import { BadImage, BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, empty, file, text } from '../../../kernel/schemas.ts';
import { emojiByName } from '../../../markdown/emoji-names.ts';
import type { EmojiPicture } from '../../../ports/images.ts';
import { isAdministrator } from '../../../rules/roles.ts';
import type { CustomEmoji } from '../../../storage/interface/custom-emoji.ts';
import { emitCustomEmoji } from './events.ts';

const MAX_NAME = 100;
const MAX_FILE_MEBIBYTES = 5;
/** Deactivated ones included; clients are told of all of them. */
const MAX_EMOJI = 5_000;

export const uploadCustomEmoji = defineOperation({
  name: 'customEmoji.upload',
  http: 'POST /realm/emoji/{emoji_name}',
  summary: 'Add an emoji of your own to the organization',
  description:
    'The picture is made 64 by 64 pixels; animations stay animations. A name that a Unicode emoji has already can be taken by administrators only.',
  example: { emoji_name: 'gruel' },
  access: 'human member',
  effect: 'manual',
  audited: true,
  params: v.object({
    emoji_name: describe(
      text(MAX_NAME),
      'Lowercase letters, digits, dashes and underscores; spaces become underscores.',
    ),
    file: describe(file(MAX_FILE_MEBIBYTES), 'PNG, JPEG, GIF, WebP or AVIF.'),
  }),
  result: empty,
  errors: [BadRequest, BadImage],
  async run(context, { emoji_name, file }) {
    const name = emoji_name.trim().replaceAll(' ', '_');
    checkName(name);
    // Refused before the picture is worked on, and again when it comes to adding it.
    await context.transact('read', (reading) => checkMayAdd(reading, name));
    const picture = await context.services.options.images.emoji(new Uint8Array(await file.arrayBuffer()));
    // Made here: the work below may be repeated.
    const token = randomBytes(16).toString('hex');
    await context.transact('write', async (writing) => {
      await checkMayAdd(writing, name);
      const { tx, actor } = writing;
      const addresses = await storePicture(writing, token, picture);
      const id = await tx.customEmoji.create({ name, author_id: actor.id, ...addresses });
      if (id === undefined) throw nameInUse(name);
      await emitCustomEmoji(writing);
    });
    return {};
  },
});

function checkName(name: string): void {
  if (name === '') throw new BadRequest('An emoji needs a name.');
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw new BadRequest('The name of an emoji has only lowercase letters a to z, digits, dashes and underscores.');
  }
  if (/[_-]$/.test(name)) throw new BadRequest('The name of an emoji ends with a letter or a digit.');
}

async function checkMayAdd(context: AccountContext, name: string): Promise<void> {
  const { tx, actor } = context;
  if (!(await isGranted(context, actor, 'can_add_custom_emoji_group'))) {
    throw new BadRequest('You are not allowed to add emoji to this organization.');
  }
  if (await tx.customEmoji.byName(name)) throw nameInUse(name);
  if (emojiByName(name) !== undefined && !isAdministrator(actor)) {
    throw new BadRequest(`"${name}" is a Unicode emoji; only administrators can put another in its place.`);
  }
  if ((await tx.customEmoji.count()) >= MAX_EMOJI) {
    throw new BadRequest(`This organization has as many emoji as it can have (limit: ${MAX_EMOJI}).`);
  }
}

function nameInUse(name: string): BadRequest {
  return new BadRequest(`There is an emoji named "${name}" already; deactivate it first.`);
}

/** Nobody can guess the address of a picture, and none is ever used again, so it may be kept for ever. */
async function storePicture(
  { tx }: Pick<WriteContext, 'tx'>,
  token: string,
  { content_type, bytes, still }: EmojiPicture,
): Promise<Pick<CustomEmoji, 'source_url' | 'still_url'>> {
  const file_name = `${token}.${content_type === 'image/png' ? 'png' : 'webp'}`;
  await tx.customEmoji.addImage({ file_name, content_type, bytes });
  const source_url = `/custom_emoji/${file_name}`;
  if (!still) return { source_url, still_url: null };
  const still_name = `${token}-still.png`;
  await tx.customEmoji.addImage({ file_name: still_name, content_type: 'image/png', bytes: still });
  return { source_url, still_url: `/custom_emoji/${still_name}` };
}
