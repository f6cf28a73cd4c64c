import { test } from 'node:test';
import { otherSqliteEngine } from '../faces/copies.ts';
import { libraryFace } from '../faces/faces.ts';
import { runCases } from '../faces/run-cases.ts';
import { tables } from './index.ts';

// The faces are the same on every engine, so one of them shows what the engine does.
const { name, skip } = otherSqliteEngine;
if (skip) test(`cases by library on ${name}`, { skip });
else runCases(tables, otherSqliteEngine, libraryFace);
