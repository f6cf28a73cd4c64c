import { postgresEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { libraryTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

runCases(tables, postgresEngine, libraryTransport);
