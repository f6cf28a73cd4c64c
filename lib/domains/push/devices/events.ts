import * as v from 'valibot';
import { defineEvent } from '../../../kernel/define-event.ts';
import { describe } from '../../../kernel/schemas.ts';

const pushDeviceStatus = v.picklist(['pending', 'active', 'failed']);

export const pushDeviceChanged = defineEvent('push_device', {
  summary: "The registration of one of the reader's devices has come to something.",
  fields: {
    push_account_id: describe(v.string(), 'Its digits.'),
    status: pushDeviceStatus,
    error_code: describe(v.optional(v.string()), 'Why it failed; only then.'),
  },
});
