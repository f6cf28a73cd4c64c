import { sqliteEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { remoteTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

runCases(tables, sqliteEngine, remoteTransport);
