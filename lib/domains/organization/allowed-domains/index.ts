import { defineFeature } from '../../../operation/feature.ts';
import { addAllowedDomain } from './add.ts';
import { domainAdded, domainChanged, domainRemoved, allowedDomains as domainsOf } from './domain-list.ts';
import { editAllowedDomain } from './edit.ts';
import { listAllowedDomains } from './list.ts';
import { removeAllowedDomain } from './remove.ts';

/** Domains for restricting e-mail addresses, in the organization's record: checking needs no query. */
export const allowedDomains = defineFeature({
  operations: [listAllowedDomains, addAllowedDomain, editAllowedDomain, removeAllowedDomain],
  events: [domainAdded, domainChanged, domainRemoved],
  initialState: {
    realm_domains: async ({ context }) => ({ realm_domains: [...domainsOf(context)] }),
  },
});
