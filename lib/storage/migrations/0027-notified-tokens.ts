/** Tokens that were only kept are notified now: processes are to look for whose they are. */
export const notifiedTokens = `
UPDATE organization SET push_version = push_version + 1 WHERE EXISTS (SELECT 1 FROM push_tokens);
`;
