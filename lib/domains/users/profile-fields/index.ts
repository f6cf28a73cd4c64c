import { defineFeature } from '../../../operation/feature.ts';
import { createProfileField } from './create.ts';
import { editProfileField } from './edit.ts';
import { FIELD_TYPES, profileFieldsChanged, profileFieldViews } from './field.ts';
import { listProfileFields } from './list.ts';
import { removeProfileField } from './remove.ts';
import { reorderProfileFields } from './reorder.ts';
import { setProfileData } from './set.ts';
import { unsetProfileData } from './unset.ts';

/**
 * Custom profile fields and their values. The fields are part of the organization's record, the values part of the
 * accounts. So showing a profile needs no further reads.
 */
export const profileFields = defineFeature({
  operations: [
    listProfileFields,
    createProfileField,
    editProfileField,
    removeProfileField,
    reorderProfileFields,
    setProfileData,
    unsetProfileData,
  ],
  events: [profileFieldsChanged],
  initialState: {
    custom_profile_fields: async ({ context: { organization } }) => ({
      custom_profile_fields: profileFieldViews(organization.profile_fields),
      custom_profile_field_types: FIELD_TYPES,
    }),
  },
});
