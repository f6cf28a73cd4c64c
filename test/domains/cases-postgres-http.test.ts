import { postgresEngine } from '../world/copies.ts';
import { runCases } from '../world/run-cases.ts';
import { httpTransport } from '../world/transports.ts';
import { tables } from './tables.ts';

/** Transports do not depend on the engine, so HTTP on PostgreSQL plays messages and one operation of each way to write. */
const OVER_HTTP = ['register', 'events.list', 'subscriptions.remove', 'users.create'];

runCases(
  tables.filter(({ operation }) => operation.startsWith('messages.') || OVER_HTTP.includes(operation)),
  postgresEngine,
  httpTransport,
);
