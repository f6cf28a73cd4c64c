import { postgresEngine } from '../../world/copies.ts';
import { narrowsOn } from './narrow.suite.ts';

narrowsOn(postgresEngine);
