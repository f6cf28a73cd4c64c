import { sqliteEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { libraryTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

// `npm test` plays every case here, and a share of the cases through each other shell and engine.
runCases(tables, sqliteEngine, libraryTransport, { all: true });
