import { postgresEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { httpTransport, libraryTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

runCases(tables, postgresEngine, libraryTransport);

/** The transports are the same on every engine; over HTTP, messages and operations that write in every way there is. */
const OVER_HTTP = ['register', 'events.list', 'subscriptions.remove', 'users.create'];
runCases(
  tables.filter(({ operation }) => operation.startsWith('messages.') || OVER_HTTP.includes(operation)),
  postgresEngine,
  httpTransport,
);
