import { randomBytes } from 'node:crypto';
import type { AddressProof } from '../../../storage/interface/address-proofs.ts';

/** How long the link in an e-mail works that confirms an address, unless its invitation ends before. */
export const ADDRESS_LINK_HOURS = 24;

/** No key of an invitation begins with it. */
const PREFIX = 'me-';

/** What a link ends in that lets in whoever reads the mail of one address: 256 bits. */
export const newAddressKey = () => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const isAddressKey = (key: string) => key.startsWith(PREFIX);

/** When a link ends, if its invitation has not ended before; milliseconds. */
export const endOf = ({ created_ms }: AddressProof) => created_ms + ADDRESS_LINK_HOURS * 3_600_000;
