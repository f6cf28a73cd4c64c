import { defineFeature } from '../../../operation/feature.ts';
import { createLinkifier } from './create.ts';
import { editLinkifier } from './edit.ts';
import { linkifiersChanged } from './linkifier.ts';
import { listLinkifiers } from './list.ts';
import { removeLinkifier } from './remove.ts';
import { reorderLinkifiers } from './reorder.ts';

/**
 * Linkifiers turn text that matches a pattern into links, in messages and topics. They are part of the organization's
 * record, so sending and listing messages need no query for them.
 */
export const linkifiers = defineFeature({
  operations: [listLinkifiers, createLinkifier, editLinkifier, removeLinkifier, reorderLinkifiers],
  events: [linkifiersChanged],
  initialState: {
    /** Empty for clients without the capability linkifier_url_template. */
    realm_linkifiers: async ({ context, options }) => ({
      realm_linkifiers: options.client_capabilities.linkifier_url_template ? [...context.organization.linkifiers] : [],
    }),
  },
});
