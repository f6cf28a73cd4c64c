import { defineFeature } from '../../../operation/feature.ts';
import { removeOrganizationIcon } from './remove-icon.ts';
import { removeOrganizationLogo } from './remove-logo.ts';
import { uploadOrganizationIcon } from './upload-icon.ts';
import { uploadOrganizationLogo } from './upload-logo.ts';

/** The icon and the logos of the organization. Their images are rows in the database; the settings have their names. */
export const organizationPictures = defineFeature({
  operations: [uploadOrganizationIcon, removeOrganizationIcon, uploadOrganizationLogo, removeOrganizationLogo],
});
