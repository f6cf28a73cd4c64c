/** Tokens and browser logins that ended early. */
export const endedLogins = `
ALTER TABLE users ADD COLUMN login_generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN ended_logins TEXT;
`;
