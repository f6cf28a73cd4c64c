import { sqliteEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { fetchTransport, transports } from '../world/transports.ts';
import { tables } from './tables.ts';

for (const transport of [...transports, fetchTransport]) runCases(tables, sqliteEngine, transport);
