/**
 * What is unread is decided by the index of a conversation's messages alone. PostgreSQL reads an index alone where a
 * vacuum has been since: so it vacuums after 2 % of new messages, which costs those pages. Invitations of one account
 * are found by it, and of two indexes for how far queues are acknowledged one goes. Nobody reads while an index goes,
 * so that comes last.
 */
export const coveredReading = `
CREATE INDEX messages_in_conversation ON messages (conversation_id, id, sender_id, read_by_sender);
VACUUMED_EARLY messages;
CREATE INDEX invitation_offers_by_inviter ON invitation_offers (invited_by_user_id);
DROP INDEX messages_by_conversation;
DROP INDEX event_queues_by_acknowledged;
`;
