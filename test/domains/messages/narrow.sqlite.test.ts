import { sqliteEngine } from '../../world/copies.ts';
import { narrowsOn } from './narrow.suite.ts';

narrowsOn(sqliteEngine);
