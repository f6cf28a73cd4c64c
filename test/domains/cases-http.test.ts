import { sqliteEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { httpTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

runCases(tables, sqliteEngine, httpTransport);
