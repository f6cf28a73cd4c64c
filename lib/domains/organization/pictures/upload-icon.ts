import * as v from 'valibot';
import { BadImage } from '../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { mediumIcon } from '../../../views/organization-pictures.ts';
import { newPictureName, pictureFile, replacePicture } from './picture.ts';

export const uploadOrganizationIcon = defineOperation({
  name: 'organization.uploadIcon',
  http: 'POST /realm/icon',
  summary: 'Upload the icon of the organization',
  description:
    'Crops the image to a centered square, in 100x100 and 500x500 pixels. Uses the first frame. Everyone can see it, also without an account: apps and the login page show it.',
  access: 'administrator',
  effect: 'manual',
  audited: true,
  params: { file: pictureFile },
  result: v.object({ icon_url: v.string() }),
  errors: [BadImage],
  async run(context, { file }) {
    // Only administrators make the server decode a picture.
    await context.transact('read', async () => undefined);
    const { small, medium } = await context.services.options.images.avatar(new Uint8Array(await file.arrayBuffer()));
    const file_name = `${newPictureName()}.png`;
    const content_type = 'image/png';
    const icon_url = await context.transact('write', (writing) =>
      replacePicture(writing, 'icon', [
        { file_name, content_type, bytes: small },
        { file_name: mediumIcon(file_name), content_type, bytes: medium },
      ]),
    );
    return { icon_url };
  },
});
