import { defineFeature } from '../../../kernel/feature.ts';
import { editOrganization } from './edit.ts';
import { organizationUpdated, organizationUpdatedDict } from './events.ts';
import { organizationState } from './initial-state.ts';

/** What the organization is called, and what it decides for everybody: settings and permissions. */
export const organizationSettings = defineFeature({
  operations: [editOrganization],
  events: [organizationUpdated, organizationUpdatedDict],
  initialState: { realm: organizationState },
});
