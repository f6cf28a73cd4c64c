import { test } from 'node:test';
import { otherSqliteEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { libraryTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

// The transports are the same on every engine, so one of them shows what the engine does.
const { name, skip } = otherSqliteEngine;
if (skip) test(`cases by library on ${name}`, { skip });
else runCases(tables, otherSqliteEngine, libraryTransport);
