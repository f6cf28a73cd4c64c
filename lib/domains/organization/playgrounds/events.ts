import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { playgroundObject, playgroundView } from './view.ts';

export const playgroundsChanged = defineEvent('realm_playgrounds', {
  summary: 'Code playgrounds were added or removed: all of them.',
  fields: { realm_playgrounds: v.array(playgroundObject) },
});

/** Tells everybody of all playgrounds as they are now. */
export async function emitPlaygrounds({ tx, emit }: WriteContext): Promise<void> {
  const playgrounds = await tx.playgrounds.all();
  emit({ scope: 'everyone' }, playgroundsChanged({ realm_playgrounds: playgrounds.map(playgroundView) }));
}
