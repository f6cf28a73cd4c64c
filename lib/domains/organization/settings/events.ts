import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';

export const organizationUpdated = defineEvent('realm/update', {
  summary: 'A setting of the organization changed.',
  fields: { property: v.string(), value: v.unknown() },
});

export const organizationUpdatedDict = defineEvent('realm/update_dict', {
  summary: 'Settings of the organization changed. Contains the new values by name.',
  fields: { property: v.literal('default'), data: v.record(v.string(), v.unknown()) },
});
