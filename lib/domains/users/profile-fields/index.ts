import type { Snapshot } from '../../../kernel/context.ts';
import { defineFeature } from '../../../kernel/feature.ts';
import { createProfileField } from './create.ts';
import { editProfileField } from './edit.ts';
import { profileFieldsChanged } from './events.ts';
import { FIELD_TYPES, profileFieldViews } from './field.ts';
import { listProfileFields } from './list.ts';
import { removeProfileField } from './remove.ts';
import { reorderProfileFields } from './reorder.ts';
import { setProfileData } from './set.ts';
import { unsetProfileData } from './unset.ts';

/**
 * Fields that the organization adds to profiles, and what people have there. The fields are part of the
 * organization's record and the values of each account's, so that showing a profile reads nothing more.
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
    custom_profile_fields: async ({ context: { organization } }: Snapshot) => ({
      custom_profile_fields: profileFieldViews(organization.profile_fields),
      custom_profile_field_types: FIELD_TYPES,
    }),
  },
});
