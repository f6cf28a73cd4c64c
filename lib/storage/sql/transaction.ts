import type { Transaction } from '../interface/storage.ts';
import { SqlAcquaintances } from './acquaintances.ts';
import { SqlChannels } from './channels.ts';
import type { Connection } from './connection.ts';
import { SqlConversations } from './conversations.ts';
import { SqlCustomEmoji } from './custom-emoji.ts';
import { SqlEdits } from './edits.ts';
import { SqlEvents } from './events.ts';
import { SqlFlags } from './flags.ts';
import { SqlGroups } from './groups.ts';
import { SqlLinkifiers } from './linkifiers.ts';
import { SqlMessages } from './messages.ts';
import { SqlOrganization } from './organization.ts';
import { SqlOutbox } from './outbox.ts';
import { SqlPlaygrounds } from './playgrounds.ts';
import { SqlQueues } from './queues.ts';
import { SqlReactions } from './reactions.ts';
import { SqlReadState } from './read-state.ts';
import { SqlSubscriptions } from './subscriptions.ts';
import { SqlUsers } from './users.ts';

type Stores = { readonly [name in keyof Transaction]: new (connection: Connection) => Transaction[name] };

const STORES: Stores = {
  organization: SqlOrganization,
  linkifiers: SqlLinkifiers,
  playgrounds: SqlPlaygrounds,
  users: SqlUsers,
  acquaintances: SqlAcquaintances,
  groups: SqlGroups,
  channels: SqlChannels,
  subscriptions: SqlSubscriptions,
  conversations: SqlConversations,
  messages: SqlMessages,
  readState: SqlReadState,
  flags: SqlFlags,
  edits: SqlEdits,
  reactions: SqlReactions,
  customEmoji: SqlCustomEmoji,
  events: SqlEvents,
  queues: SqlQueues,
  outbox: SqlOutbox,
};

/** Made once for a connection; whatever runs on it at the time is the transaction. */
export function transactionOn(connection: Connection): Transaction {
  const stores = Object.entries(STORES).map(([name, Store]) => [name, new Store(connection)]);
  return Object.fromEntries(stores) as Transaction;
}
