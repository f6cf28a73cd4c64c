/** Where the web hook of a bot is called. Processes of before would not call it for what is sent through them. */
export const botServices = `
ALTER TABLE users ADD COLUMN bot_service TEXT;
`;
