import * as v from 'valibot';
import { describe } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { WriteContext } from '../../../viewer/context.ts';

export const playgroundObject = v.object({
  id: describe(v.number(), 'ID of the playground.'),
  name: describe(v.string(), 'Display name.'),
  pygments_language: v.string(),
  url_template: v.string(),
});

export const playgroundsChanged = defineEvent('realm_playgrounds', {
  summary: 'A code playground was added or removed. Contains all playgrounds.',
  fields: { realm_playgrounds: v.array(playgroundObject) },
});

export async function emitPlaygrounds({ tx, emit }: WriteContext): Promise<void> {
  emit({ scope: 'everyone' }, playgroundsChanged({ realm_playgrounds: await tx.playgrounds.all() }));
}
