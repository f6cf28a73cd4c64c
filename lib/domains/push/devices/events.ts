import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';

const pushDeviceStatus = v.picklist(['pending', 'active', 'failed']);

export const pushDeviceChanged = defineEvent('push_device', {
  summary: "The status of one of the reader's device registrations changed.",
  fields: {
    push_account_id: describe(v.string(), 'The `push_account_id` of the registration, as a string.'),
    status: pushDeviceStatus,
    error_code: describe(v.optional(v.string()), 'Why it failed. Only if `status` is failed.'),
  },
});
