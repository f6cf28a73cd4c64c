import { sqliteEngine } from '../../world/copies.ts';
import { runCases } from '../../world/run-cases.ts';
import { libraryTransport } from '../../world/transports.ts';
import { operations } from '../tables.ts';

runCases(operations, { engine: sqliteEngine, transport: libraryTransport });
