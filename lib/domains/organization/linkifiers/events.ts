import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { linkifierObject, linkifierView } from './linkifier.ts';

export const linkifiersChanged = defineEvent('realm_linkifiers', {
  summary: 'Linkifiers were added, changed, removed or reordered: all of them, in their order.',
  fields: { realm_linkifiers: v.array(linkifierObject) },
  needs: 'linkifier_url_template',
});

/** Tells everybody of all linkifiers as they are now. */
export async function emitLinkifiers({ tx, emit }: WriteContext): Promise<void> {
  const linkifiers = await tx.linkifiers.all();
  emit({ scope: 'everyone' }, linkifiersChanged({ realm_linkifiers: linkifiers.map(linkifierView) }));
}
