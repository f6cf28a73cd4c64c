import * as v from 'valibot';
import { defineOperation } from '../../../operation/operation.ts';
import { profileFieldObject, profileFieldViews } from './field.ts';

export const listProfileFields = defineOperation({
  name: 'profileFields.list',
  http: 'GET /realm/profile_fields',
  summary: "List the organization's custom profile fields",
  description: 'In the order of profiles.',
  access: 'user',
  result: v.object({ custom_fields: v.array(profileFieldObject) }),
  async run({ organization }) {
    return { custom_fields: profileFieldViews(organization.profile_fields) };
  },
});
