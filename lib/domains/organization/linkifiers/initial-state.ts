import type { StatePart } from '../../../kernel/initial-state.ts';
import { linkifierView } from './view.ts';

/** Fetch type `realm_linkifiers`; clients that do not understand URL templates get none. */
export const linkifiersState: StatePart = async ({ context, options }) => ({
  realm_linkifiers: options.client_capabilities.linkifier_url_template
    ? context.organization.linkifiers.map(linkifierView)
    : [],
});
