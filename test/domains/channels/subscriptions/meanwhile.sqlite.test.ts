import { sqliteEngine } from '../../../world/copies.ts';
import { subscribingInParts } from './meanwhile.suite.ts';

subscribingInParts(sqliteEngine);
