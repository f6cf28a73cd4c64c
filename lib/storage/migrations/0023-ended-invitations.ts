/** Where to look for invitations that ended so long ago that nobody asks for them. */
export const endedInvitations = `
CREATE INDEX invitations_by_end ON invitations (ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX invitations_by_offer ON invitations (offer_id);
CREATE INDEX invitation_offers_by_end ON invitation_offers (expires_ms) WHERE expires_ms IS NOT NULL;
CREATE INDEX invitations_sent_by_time ON invitations_sent (sent_ms);
`;
