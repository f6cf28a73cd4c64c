import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { SqliteConnection } from '../../lib/storage/sqlite/connection.ts';
import { sqliteDrivers } from '../support/engines.ts';
import { sqliteEngine } from '../world/copies.ts';
import { libraryTransport } from '../world/transports.ts';
import { optionsFor, UnchangedWorlds } from '../world/unchanged-worlds.ts';
import { MANY_CALLERS } from './elsewhere.ts';
import { knownTablesScanned, statementsOf } from './query-plans.ts';
import { plainParams } from './tables.ts';

/** Tables that stay short. Reading them completely is the fastest plan. */
const SHORT = new Set([
  ...['organization', 'migrations', 'unfinished_fills', 'message_retention', 'upload_space'],
  ...['linkifiers', 'playgrounds', 'profile_fields', 'channel_folders', 'custom_emoji'],
  // 5 in 7 days.
  'data_exports',
]);

/** Tables that an operation must read completely. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  register: ['channels', 'users', 'user_statuses', 'user_groups', 'group_members', 'group_subgroups'],
  'users.list': ['users'],
  'users.getByEmail': ['users'],
  'users.search': ['users'],
  'channels.list': ['channels'],
  'channels.search': ['channels'],
  'organization.audit': ['channels', 'users'],
  // From the newest entry until it has enough. The table keeps 220,000.
  'organization.auditLog': ['audit_log'],
  'invites.list': ['invitations'],
  'userGroups.list': ['user_groups', 'group_members', 'group_subgroups'],
  // Counts for limits.
  'channels.create': ['channels'],
  'channels.edit': ['channels'],
  'rooms.ensure': ['channels'],
  'userGroups.create': ['group_members', 'group_subgroups'],
  'userGroups.updateMembers': ['group_members', 'group_subgroups'],
  'userGroups.updateSubgroups': ['group_members', 'group_subgroups'],
  'userGroups.deactivate': ['group_subgroups'],
  // Every recipient of a message may have read it.
  'messages.readReceipts': ['users'],
  // Other keys end the subscriptions of all browsers.
  'push.regenerateWebKey': ['push_browsers'],
  // Channels that another role can see, and data of a field.
  'users.edit': ['channels'],
  'users.editByEmail': ['channels'],
  'profileFields.remove': ['users'],
};

type Caller = (typeof MANY_CALLERS)[number];

const USUAL_CALLERS: readonly Caller[] = ['owner', 'hamlet', 'guest'];
/** They call what the others may not. */
const OTHER_CALLERS: readonly Caller[] = MANY_CALLERS.filter((caller) => !USUAL_CALLERS.includes(caller));

/** Fills the caches that all callers share. */
const unchangedWorlds = () =>
  new UnchangedWorlds(async (world) => {
    await world.as('hamlet').users.list();
    await world.as('hamlet').presence.list();
  });
const worldsOf = {
  cordelia: unchangedWorlds(),
  owner: unchangedWorlds(),
  hamlet: unchangedWorlds(),
  guest: unchangedWorlds(),
  webhook: unchangedWorlds(),
  anonymous: unchangedWorlds(),
} satisfies Record<Caller, UnchangedWorlds>;

describe('no statement on SQLite scans a table', () => {
  const looking = (async () => {
    const world = await sqliteEngine.world();
    return { world, connection: SqliteConnection.open(sqliteDrivers[0].name, world.location as string) };
  })();

  for (const operation of catalogue as readonly Operation[]) {
    test(`${operation.name} scans no large table without reason`, async () => {
      const { connection } = await looking;
      const allowed = [...SHORT, ...(WHOLE[operation.name] ?? [])];
      const scanning = new Set<string>();
      let isAnswered = false;
      for (const caller of [...USUAL_CALLERS, ...OTHER_CALLERS]) {
        if (isAnswered && OTHER_CALLERS.includes(caller)) break;
        const { value, texts } = await statementsBy(operation, caller);
        isAnswered ||= 'answer' in value;
        for (const text of texts) {
          const scanned = knownTablesScanned(connection, text).filter((table) => !allowed.includes(table));
          if (scanned.length > 0) scanning.add(`${scanned.join()} in ${text}`);
        }
      }
      assert.deepEqual([...scanning], []);
    });
  }

  after(async () => {
    for (const worlds of Object.values(worldsOf)) await worlds.close();
    const { world, connection } = await looking;
    connection.close();
    await world.close();
  });
});

async function statementsBy(operation: Operation, caller: Caller) {
  const world = await worldsOf[caller].next(optionsFor(operation));
  const params = await plainParams(operation.name, world, caller);
  return statementsOf(() => libraryTransport.call(world, caller, operation, params));
}
