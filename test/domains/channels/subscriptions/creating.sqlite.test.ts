import { sqliteEngine } from '../../../world/copies.ts';
import { creatingManyChannels } from './creating.suite.ts';

creatingManyChannels(sqliteEngine);
