import { postgresEngine } from '../../../support/engines.ts';
import { phoneNotifications } from './messages.suite.ts';

phoneNotifications(postgresEngine);
