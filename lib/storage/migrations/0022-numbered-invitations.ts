/**
 * The key of an invitation begins with its id, by which it is found: it needs no hash. An older process would show
 * and send links that lead nowhere.
 */
export const numberedInvitations = `
-- What the keys of all that were invited by one call are derived from, each with its id; null where each has a seed
-- of its own. Those that do not have an empty one, and in place of the hash of their key the ids of their offer and
-- in it, which nobody looks for: it takes as good as no room in the index.
ALTER TABLE invitation_offers ADD COLUMN seed TEXT;
`;
export const isBreaking = true;
