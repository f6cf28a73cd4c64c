import { postgresEngine } from '../../../world/copies.ts';
import { subscribingInParts } from './meanwhile.suite.ts';

subscribingInParts(postgresEngine);
