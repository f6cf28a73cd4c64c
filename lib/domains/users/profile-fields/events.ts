import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { profileFieldObject, profileFieldViews } from './field.ts';

export const profileFieldsChanged = defineEvent('custom_profile_fields', {
  summary:
    'Custom profile fields were added, changed, removed or reordered: all of them. What people had in fields and options that are gone is gone too.',
  fields: { fields: v.array(profileFieldObject) },
});

/** Tells everybody of all fields as they are now. */
export async function emitProfileFields({ tx, emit }: WriteContext): Promise<void> {
  const fields = profileFieldViews(await tx.profileFields.all());
  emit({ scope: 'everyone' }, profileFieldsChanged({ fields }));
}
