import { test } from 'node:test';
import { builtInSqlite } from '../faces/copies.ts';
import { libraryFace } from '../faces/faces.ts';
import { runCases } from '../faces/run-cases.ts';
import { tables } from './index.ts';

// The faces are the same on every engine, so one of them shows what the engine does.
if (builtInSqlite) runCases(tables, builtInSqlite, libraryFace);
else test('cases by library on node:sqlite', { skip: 'this Node has no SQLite of its own' });
