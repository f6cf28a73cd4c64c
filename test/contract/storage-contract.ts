import { describe } from 'node:test';
import type { Engine } from '../support/engines.ts';
import { auditContract } from './audit-contract.ts';
import { changesContract } from './changes-contract.ts';
import { channelsContract } from './channels-contract.ts';
import { deliveriesContract } from './deliveries-contract.ts';
import { draftsContract } from './drafts-contract.ts';
import { groupsContract } from './groups-contract.ts';
import { invitationsContract } from './invitations-contract.ts';
import { logContract } from './log-contract.ts';
import { messagesContract } from './messages-contract.ts';
import { outboxContract } from './outbox-contract.ts';
import { peopleContract } from './people-contract.ts';
import { personalContract } from './personal-contract.ts';
import { presencesContract } from './presences-contract.ts';
import { profilesContract } from './profiles-contract.ts';
import { pushContract } from './push-contract.ts';
import { readStateContract } from './read-state-contract.ts';
import { readStateModel } from './read-state-model.ts';
import { rehearsalsContract } from './rehearsals-contract.ts';
import { resumableUploadsContract } from './resumable-uploads-contract.ts';
import { searchContract } from './search-contract.ts';
import { transactionsContract } from './transactions-contract.ts';
import { uploadsContract } from './uploads-contract.ts';
import { userTopicsContract } from './user-topics-contract.ts';
import { versionsContract } from './versions-contract.ts';

/** Everything a storage promises; an engine of your own keeps the promise when this passes. */
export function storageContract(engine: Engine): void {
  describe(`${engine.name} as a storage`, () => {
    describe('transactions', () => transactionsContract(engine));
    describe('rehearsals', () => rehearsalsContract(engine));
    describe('organization and users', () => peopleContract(engine));
    describe('profiles and pictures', () => profilesContract(engine));
    describe('presences', () => presencesContract(engine));
    describe('user groups', () => groupsContract(engine));
    describe('channels and subscriptions', () => channelsContract(engine));
    describe('conversations and messages', () => messagesContract(engine));
    describe('searches', () => searchContract(engine));
    describe('what people set for topics', () => userTopicsContract(engine));
    describe('edits, moves, deletions and reactions', () => changesContract(engine));
    describe('read state', () => readStateContract(engine));
    describe('the model of the read state', () => readStateModel(engine));
    describe('statuses, muted users, alert words and what expires', () => personalContract(engine));
    describe('drafts, snippets and views', () => draftsContract(engine));
    describe('push devices and tokens', () => pushContract(engine));
    describe('uploads', () => uploadsContract(engine));
    describe('invitations', () => invitationsContract(engine));
    describe('events and queues', () => logContract(engine));
    describe('the outbox', () => outboxContract(engine));
    describe('the audit log', () => auditContract(engine));
    describe('scheduled messages and reminders', () => deliveriesContract(engine));
    describe('uploads that are resumed', () => resumableUploadsContract(engine));
    describe('versions', () => versionsContract(engine));
  });
}
