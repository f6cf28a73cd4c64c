import { postgresEngine } from '../../../support/engines.ts';
import { invitationEmails } from './emails.suite.ts';

invitationEmails(postgresEngine);
