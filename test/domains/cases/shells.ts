import type { Operation } from '../../../lib/internal.ts';
import type { Case } from '../../world/case.ts';
import { otherSqliteEngine, postgresEngine, sqliteEngine, threadedEngine } from '../../world/copies.ts';
import type { Shell } from '../../world/run-cases.ts';
import { fetchTransport, httpTransport, libraryTransport, remoteTransport } from '../../world/transports.ts';
import { operations } from '../tables.ts';
import { commandTransport } from './command-transport.ts';
import { type OperationCases, type Selection, select } from './kinds.ts';

/** Values that chatctl parses differently from HTTP, or checks before the request. */
export const UNSUITED = [
  'a channel message to two channels is refused',
  'a boolean other than true and false is refused',
  'a group-setting value other than an integer or object is refused',
  'allow_empty_topic_name with another value than a boolean is refused',
  'client_gravatar with another value than a boolean is refused',
  'NUL characters are refused',
  'subscribers is a list of user IDs',
  'addresses as subscribers are refused',
  'subscriptions are channel names in a list',
  'user_ids with a name is refused',
  // Missing options are a usage error.
  'a bot is refused whatever the parameters',
  // A missing text is read from stdin.
  'a request with only notification options is refused',
  // chatctl uses the time of day, at which the messages of the fixture are old.
  'the response has all fields of a channel',
];

/** Operations that take a file, need a development server or need mail. The transcripts cover them. */
export const NOT_BY_COMMAND = [
  'avatars.upload',
  'customEmoji.upload',
  'devFetchApiKey',
  'devListUsers',
  'invites.confirmAddress',
  'organization.uploadIcon',
  'organization.uploadLogo',
  'passwords.requestReset',
  'uploads.send',
];

function suitsCommand({ access, name: operation }: Operation, one: Case): boolean {
  const { name, as, only, development, mail, pushRelay, webPublicChannels, refuses, returns } = one;
  if (NOT_BY_COMMAND.includes(operation) || UNSUITED.includes(name) || only || development || mail) return false;
  if (pushRelay === false || webPublicChannels === false) return false;
  if (as === 'anonymous' && access !== 'anyone') return false;
  if (refuses?.code === 'REQUEST_VARIABLE_MISSING' || refuses?.code === 'UNAUTHORIZED') return false;
  return typeof returns !== 'object' || !('ignored_parameters_unsupported' in returns);
}

const only = (isPlayed: (operation: Operation, one: Case) => boolean): OperationCases[] =>
  operations.map(({ operation, cases }) => ({ operation, cases: cases.filter((one) => isPlayed(operation, one)) }));

/** A shell and the cases that it can run. */
export interface PlayingShell extends Shell {
  operations: readonly OperationCases[];
  /** The shell accepts more forms than HTTP: names for IDs, words for booleans. */
  readsOtherForms?: boolean;
}

export const command: PlayingShell = {
  transport: commandTransport,
  engine: sqliteEngine,
  readsOtherForms: true,
  operations: only(suitsCommand),
  // chatctl uses the time of day, so the fixture must be recent.
  prepare: ({ clock }) => clock.advance({ seconds: Math.max(0, Math.floor((Date.now() - clock.now()) / 1000)) }),
};

/** Shells other than the library on SQLite and PostgreSQL, which run all cases. */
export const shells: readonly PlayingShell[] = [
  { transport: httpTransport, engine: sqliteEngine, operations },
  { transport: fetchTransport, engine: sqliteEngine, operations },
  { transport: remoteTransport, engine: sqliteEngine, operations },
  command,
  // Only large reads use threads.
  { transport: libraryTransport, engine: threadedEngine, operations: only(({ extent }) => extent !== undefined) },
  { transport: libraryTransport, engine: otherSqliteEngine, operations },
  { transport: httpTransport, engine: postgresEngine, operations },
];

export const libraryOnPostgres: PlayingShell = { transport: libraryTransport, engine: postgresEngine, operations };

const fixture = await sqliteEngine.world();
await fixture.close();

/** The cases of a shell, by the set that runs them. */
export const selections = ({ operations, transport, readsOtherForms = false }: PlayingShell): Selection =>
  select(operations, fixture, { transport: transport.name, readsOtherForms });
