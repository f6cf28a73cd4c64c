import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { forDark, kindOfLogo } from './logo.ts';
import { replacePicture } from './picture.ts';

export const removeOrganizationLogo = defineOperation({
  name: 'organization.removeLogo',
  http: 'DELETE /realm/logo',
  summary: 'Remove the logo of the organization',
  description: 'The web app shows the name of the organization again.',
  access: 'administrator',
  effect: 'write',
  audited: true,
  params: { night: forDark },
  result: v.object({ logo_url: v.string() }),
  async run(context, { night }) {
    return { logo_url: await replacePicture(context, kindOfLogo(night), []) };
  },
});
