import { randomBytes } from 'node:crypto';
import type { EmailVerification } from '../../../storage/interface/email-verifications.ts';

/** How long a link that confirms an address works, unless its invitation ends earlier. */
export const ADDRESS_LINK_HOURS = 24;

/** Invitation keys never start with it. */
const PREFIX = 'me-';

/** The key of a link that confirms an address: 256 random bits. */
export const newAddressKey = () => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const isAddressKey = (key: string) => key.startsWith(PREFIX);

/** When a link expires unless its invitation ends earlier, in milliseconds since the epoch. */
export const endOf = ({ created_ms }: EmailVerification) => created_ms + ADDRESS_LINK_HOURS * 3_600_000;
