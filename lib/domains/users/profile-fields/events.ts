import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { profileFieldObject, profileFieldViews } from './field.ts';

export const profileFieldsChanged = defineEvent('custom_profile_fields', {
  summary:
    'Custom profile fields were added, changed, removed or reordered. Contains all fields. Values of removed fields and options are removed from profiles without further events.',
  fields: { fields: v.array(profileFieldObject) },
});

/** Sends all current fields to all users. */
export async function emitProfileFields({ tx, emit }: WriteContext): Promise<void> {
  const fields = profileFieldViews(await tx.profileFields.all());
  emit({ scope: 'everyone' }, profileFieldsChanged({ fields }));
}
