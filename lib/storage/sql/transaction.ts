import type { Transaction } from '../interface/storage.ts';
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

export class SqlTransaction implements Transaction {
  readonly organization: SqlOrganization;
  readonly linkifiers: SqlLinkifiers;
  readonly playgrounds: SqlPlaygrounds;
  readonly users: SqlUsers;
  readonly groups: SqlGroups;
  readonly channels: SqlChannels;
  readonly subscriptions: SqlSubscriptions;
  readonly conversations: SqlConversations;
  readonly messages: SqlMessages;
  readonly readState: SqlReadState;
  readonly flags: SqlFlags;
  readonly edits: SqlEdits;
  readonly reactions: SqlReactions;
  readonly customEmoji: SqlCustomEmoji;
  readonly events: SqlEvents;
  readonly queues: SqlQueues;
  readonly outbox: SqlOutbox;

  constructor(connection: Connection) {
    this.organization = new SqlOrganization(connection);
    this.linkifiers = new SqlLinkifiers(connection);
    this.playgrounds = new SqlPlaygrounds(connection);
    this.users = new SqlUsers(connection);
    this.groups = new SqlGroups(connection);
    this.channels = new SqlChannels(connection);
    this.subscriptions = new SqlSubscriptions(connection);
    this.conversations = new SqlConversations(connection);
    this.messages = new SqlMessages(connection);
    this.flags = new SqlFlags(connection);
    this.readState = new SqlReadState(connection, this.flags);
    this.edits = new SqlEdits(connection);
    this.reactions = new SqlReactions(connection);
    this.customEmoji = new SqlCustomEmoji(connection);
    this.events = new SqlEvents(connection);
    this.queues = new SqlQueues(connection);
    this.outbox = new SqlOutbox(connection);
  }
}
