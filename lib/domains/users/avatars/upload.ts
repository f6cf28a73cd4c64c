import * as v from 'valibot';
import { BadImage } from '../../../base/errors.ts';
import { describe, file } from '../../../base/schemas.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { avatarFields, avatarToken, checkMayChangeAvatar } from '../../../views/avatars.ts';
import { emitAccountUpdated } from '../accounts/events.ts';
import { emitBotsUpdated } from '../bots/bot.ts';

const MAX_FILE_MEBIBYTES = 5;

export const uploadAvatar = defineOperation({
  name: 'avatars.upload',
  http: 'POST /users/me/avatar',
  summary: 'Upload your avatar',
  description: 'Crops the image to a centered square, in 100x100 and 500x500 pixels. Uses the first frame.',
  access: 'user',
  ownAccount: true,
  effect: 'manual',
  params: { file: describe(file(MAX_FILE_MEBIBYTES), 'PNG, JPEG, GIF, WebP or AVIF.') },
  result: v.object({ avatar_url: v.string() }),
  errors: [BadImage],
  async run(context, { file }) {
    // Saves the work of resizing an image that would be refused. The setting may change before the write transaction.
    await context.transact('read', async (reading) => checkMayChangeAvatar(reading));
    const { small, medium } = await context.services.options.images.avatar(new Uint8Array(await file.arrayBuffer()));
    return context.transact('write', async (writing) => {
      checkMayChangeAvatar(writing);
      const { tx, actor, organization } = writing;
      const user = await tx.users.update(actor.id, { avatar_source: 'U', avatar_version: actor.avatar_version + 1 });
      const token = avatarToken(user, organization);
      await tx.avatars.replace(user.id, [
        { file_name: `${token}.png`, bytes: small },
        { file_name: `${token}-medium.png`, bytes: medium },
      ]);
      const picture = avatarFields(user, organization);
      await emitAccountUpdated(writing, user, picture);
      await emitBotsUpdated(writing, [user], { avatar_url: picture.avatar_url });
      return { avatar_url: picture.avatar_url };
    });
  },
});
