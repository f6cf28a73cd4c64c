import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { replacePicture } from './picture.ts';

export const removeOrganizationIcon = defineOperation({
  name: 'organization.removeIcon',
  http: 'DELETE /realm/icon',
  summary: 'Remove the icon of the organization',
  description: 'The default icon of the server returns.',
  access: 'administrator',
  effect: 'write',
  audited: true,
  result: v.object({ icon_url: v.string() }),
  async run(context) {
    return { icon_url: await replacePicture(context, 'icon', []) };
  },
});
