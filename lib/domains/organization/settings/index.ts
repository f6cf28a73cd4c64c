import { defineFeature } from '../../../operation/feature.ts';
import { editOrganization } from './edit.ts';
import { organizationState } from './initial-state.ts';
import { organizationUpdated, organizationUpdatedDict } from './organization-change.ts';

/** The name, settings and permissions of the organization. */
export const organizationSettings = defineFeature({
  operations: [editOrganization],
  events: [organizationUpdated, organizationUpdatedDict],
  initialState: { realm: organizationState },
});
