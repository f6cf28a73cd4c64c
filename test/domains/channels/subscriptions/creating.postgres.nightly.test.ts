import { postgresEngine } from '../../../world/copies.ts';
import { creatingManyChannels } from './creating.suite.ts';

creatingManyChannels(postgresEngine);
