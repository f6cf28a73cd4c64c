import { postgresEngine } from '../faces/copies.ts';
import { httpFace, libraryFace } from '../faces/faces.ts';
import { runCases } from '../faces/run-cases.ts';
import { tables } from './index.ts';

runCases(tables, postgresEngine, libraryFace);

/** The faces are the same on every engine; over HTTP, operations that write in every way there is. */
const OVER_HTTP = [
  'register',
  'events.list',
  'messages.send',
  'messages.updateFlags',
  'subscriptions.remove',
  'users.create',
];
runCases(
  tables.filter((table) => OVER_HTTP.includes(table.operation)),
  postgresEngine,
  httpFace,
);
