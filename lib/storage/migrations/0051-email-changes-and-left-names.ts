/**
 * Links that confirm a new e-mail address, stored with the links that reset a password. The name that a channel had when
 * a user left it: later names are hidden from the user.
 */
export const emailChangesAndLeftNames = `
ALTER TABLE password_resets ADD COLUMN new_email TEXT;
ALTER TABLE subscriptions ADD COLUMN left_name TEXT;
`;
