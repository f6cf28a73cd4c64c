import { postgresEngine } from '../../support/engines.ts';
import { receivedMail } from './receive-mail.suite.ts';

receivedMail(postgresEngine);
