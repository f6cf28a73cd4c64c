/** A right that only whoever runs the software gives, and how often the account was let in again after wrong passwords. */
export const accountRights = `
ALTER TABLE users ADD COLUMN can_change_user_emails INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN sign_in_unlocks INTEGER NOT NULL DEFAULT 0;
`;
