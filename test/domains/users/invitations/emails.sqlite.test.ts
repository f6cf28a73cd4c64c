import { sqliteEngine } from '../../../support/engines.ts';
import { invitationEmails } from './emails.suite.ts';

invitationEmails(sqliteEngine);
