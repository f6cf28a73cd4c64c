import type { Snapshot } from '../../../kernel/context.ts';
import { linkifierView } from './view.ts';

/** Clients that do not understand URL templates get none. */
export async function linkifiersState({ context, options }: Snapshot) {
  const shown = options.client_capabilities.linkifier_url_template ? context.organization.linkifiers : [];
  return { realm_linkifiers: shown.map(linkifierView) };
}
