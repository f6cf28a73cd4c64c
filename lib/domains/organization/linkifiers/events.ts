import * as v from 'valibot';
import type { WriteContext } from '../../../kernel/context.ts';
import { defineEvent } from '../../../kernel/define-event.ts';
import { linkifierObject, linkifierView } from './linkifier.ts';

export const linkifiersChanged = defineEvent('realm_linkifiers', {
  summary: 'Linkifiers were added, changed, removed or reordered. Contains all linkifiers in order.',
  fields: { realm_linkifiers: v.array(linkifierObject) },
  needs: 'linkifier_url_template',
});

/** Sends all current linkifiers to all users. */
export async function emitLinkifiers({ tx, emit }: WriteContext): Promise<void> {
  const linkifiers = await tx.linkifiers.all();
  emit({ scope: 'everyone' }, linkifiersChanged({ realm_linkifiers: linkifiers.map(linkifierView) }));
}
