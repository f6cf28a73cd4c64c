// Written by `npm run documents` from the names of the files; a test compares.
import { baseline, fillBaseline } from './0047-baseline.ts';
import { verifiedAddresses } from './0048-verified-addresses.ts';
import { blocksAndReports } from './0049-blocks-and-reports.ts';
import { queuesOfRooms } from './0050-queues-of-rooms.ts';
import { emailChangesAndLeftNames } from './0051-email-changes-and-left-names.ts';
import { fillOneSpelling, oneSpelling } from './0052-one-spelling.ts';
import { uploadSpaceKey } from './0053-upload-space-key.ts';
import { emailNotices } from './0054-email-notices.ts';
import { importedRecords } from './0055-imported-records.ts';
import { webPush } from './0056-web-push.ts';
import { limitsOfEmails } from './0057-limits-of-emails.ts';
import { externalLogins } from './0058-external-logins.ts';
import { secondFactors } from './0059-second-factors.ts';
import { dataExports } from './0060-data-exports.ts';
import { linkPreviews } from './0061-link-previews.ts';
import { begunSecondFactors } from './0062-begun-second-factors.ts';
import { organizationPictures } from './0063-organization-pictures.ts';
import { previewsByAccount } from './0064-previews-by-account.ts';
import type { Migration } from './migration.ts';

/** In order; a released one never changes. */
export const migrations: readonly Migration[] = [
  { version: 47, name: 'baseline', sql: baseline, fill: fillBaseline },
  { version: 48, name: 'verified addresses', sql: verifiedAddresses },
  { version: 49, name: 'blocks and reports', sql: blocksAndReports },
  { version: 50, name: 'queues of rooms', sql: queuesOfRooms },
  { version: 51, name: 'email changes and left names', sql: emailChangesAndLeftNames },
  { version: 52, name: 'one spelling', sql: oneSpelling, fill: fillOneSpelling },
  { version: 53, name: 'upload space key', sql: uploadSpaceKey },
  { version: 54, name: 'email notices', sql: emailNotices },
  { version: 55, name: 'imported records', sql: importedRecords },
  { version: 56, name: 'web push', sql: webPush },
  { version: 57, name: 'limits of emails', sql: limitsOfEmails },
  { version: 58, name: 'external logins', sql: externalLogins },
  { version: 59, name: 'second factors', sql: secondFactors },
  { version: 60, name: 'data exports', sql: dataExports },
  { version: 61, name: 'link previews', sql: linkPreviews },
  { version: 62, name: 'begun second factors', sql: begunSecondFactors },
  { version: 63, name: 'organization pictures', sql: organizationPictures },
  { version: 64, name: 'previews by account', sql: previewsByAccount },
];
