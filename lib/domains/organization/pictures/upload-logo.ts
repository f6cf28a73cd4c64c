import * as v from 'valibot';
import { BadImage } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { forDark, kindOfLogo } from './logo.ts';
import { newPictureName, pictureFile, replacePicture } from './picture.ts';

const LOGO_SIZE = { width: 800, height: 100, isAnimated: false };

export const uploadOrganizationLogo = defineOperation({
  name: 'organization.uploadLogo',
  http: 'POST /realm/logo',
  summary: 'Upload the logo of the organization',
  description:
    'Scales the image to at most 800x100 pixels. Uses the first frame. The web app shows it in place of the name of the organization.',
  access: 'administrator',
  effect: 'manual',
  audited: true,
  params: { file: pictureFile, night: forDark },
  result: v.object({ logo_url: v.string() }),
  errors: [BadImage],
  async run(context, { file, night }) {
    // Only administrators make the server decode a picture.
    await context.transact('read', async () => undefined);
    const bytes = await context.services.options.images.thumbnail(new Uint8Array(await file.arrayBuffer()), LOGO_SIZE);
    const file_name = `${newPictureName()}.webp`;
    const logo_url = await context.transact('write', (writing) =>
      replacePicture(writing, kindOfLogo(night), [{ file_name, content_type: 'image/webp', bytes }]),
    );
    return { logo_url };
  },
});
